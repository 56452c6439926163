% TEXT = drystone_equations (M)
% TEXT = drystone_equations (M, false)
% The equations as LaTeX: as they are integrated, or (false) with their sets.
function text = drystone_equations (m, varargin)
  text = drystone_mex ('equations', m, varargin{:});
end
