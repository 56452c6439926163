% X = drystone_advance (S, T)
% X = drystone_advance (S, T, U)
% Steps to the time T exactly, with the inputs U, which are held until then. Returns the states.
function x = drystone_advance (s, t, varargin)
  x = drystone_mex ('advance', s, t, varargin{:});
end
