% X = drystone_step (S)
% X = drystone_step (S, U)
% One step, with the inputs U (a number for each of drystone_inputs; []: they stay). Returns the states.
function x = drystone_step (s, varargin)
  x = drystone_mex ('step', s, varargin{:});
end
