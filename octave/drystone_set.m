% drystone_set (S, NAME, VALUE, ...)
% Sets inputs and free parameters; they take effect at the next step.
function drystone_set (s, varargin)
  drystone_mex ('set', s, varargin{:});
end
