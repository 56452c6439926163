% S = drystone_stepper (M, NAME, VALUE, ...)
% A stepper at the start of the model: drystone_step, advance, rows, set, get, time, stopped, reset, free.
function s = drystone_stepper (m, varargin)
  s = drystone_mex ('stepper', m, varargin{:});
end
