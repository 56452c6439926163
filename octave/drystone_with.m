% OTHER = drystone_with (M, NAME, VALUE, ...)
% Another model of the same text, with other parameters, options and inputs.
function other = drystone_with (m, varargin)
  other = drystone_mex ('with', m, varargin{:});
end
