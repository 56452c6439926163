% X = drystone_reset (S)
% X = drystone_reset (S, T, X0)
% Begins anew at time T, from the states X0 or the start of the model. Returns the states.
function x = drystone_reset (s, varargin)
  x = drystone_mex ('reset', s, varargin{:});
end
