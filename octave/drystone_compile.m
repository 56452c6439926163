% M = drystone_compile (TEXT, NAME, VALUE, ...)
% Compiles a model from its text; as drystone_load.
function m = drystone_compile (text, varargin)
  m = drystone_mex ('compile', text, varargin{:});
end
