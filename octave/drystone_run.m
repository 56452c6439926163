% R = drystone_run (M, NAME, VALUE, ...)
% Runs a model, with what is given as for drystone_load. Besides: "native", true or false (machine code; default: where it
% pays) and "watch", false (do not repeat the run to judge how far it can be trusted).
%
% R.t, R.column.x      times and columns, SI units; motor.w is R.column.motor_w
% R.names, R.units     of all columns, in the order of the fields of R.column
% R.measures.reach     measures of the text
% R.met                whether every `expect` line is met (one that is not is a warning drystone:expectation)
% R.watch, R.trust     one word and sentences: how far it can be trusted; R.error: the largest relative error
% R.end, R.stopped     the time that was reached, and why the model stopped there
% R.steps, R.native
%
% A run that ends early is an error drystone:run; drystone_result in the base workspace has what there is. Ctrl-C ends a
% run, with drystone:interrupt.
function r = drystone_run (m, varargin)
  r = drystone_mex ('run', m, varargin{:});
end
