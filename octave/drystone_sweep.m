% S = drystone_sweep (M, NAME, VALUES, ...)
% Runs a model over a grid. A vector, or a text such as "100mN:500mN:5" or "1,2,4", is an axis; one number or a text without
% `:` and `,` is a parameter or an option of all points, as for drystone_run. Besides: "threads" (default: one for each
% core), "native", and "watch", true (judge each point).
%
% S.measures.way       an array with one dimension for each axis; NaN where a point failed
% S.axis.mu            the values of an axis, over the same grid
% S.status             0, or why a point failed; S.failed: how many did (a warning drystone:trust)
% S.watch, S.native
function s = drystone_sweep (m, varargin)
  s = drystone_mex ('sweep', m, varargin{:});
end
