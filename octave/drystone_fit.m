% F = drystone_fit (M, NAME, VALUE, ...)
% Finds the parameters that the text frees (free k, c) from what it compares (output x against "log.csv" column "x").
% Parameters, inputs and options are given as for drystone_run. Besides:
%
% "free"               names in place of those of the text: "k", or {"k", [1 1e4], "log", "c"} with bounds
% "data"               a file of records in place of that of the text, or a cell of several
% "hold_last", "hold_from"    the last part (0 to 1), or what comes from a time on, is for judging only
% "huber", "starts", "seed", "threads", "most_steps", "tolerance"
% "windows", "window"  first fit each record in so many windows, or in windows of so many seconds
%
% F.names, F.value, F.units, F.start, F.deviation, F.interval (95 %, low and high), F.at_bound, F.record
% F.outputs{1}         name, file, t, measured, model, rms, held_rms
% F.text               the text with the fitted values, for drystone_compile; F.settled
%
% What speaks against the numbers is a warning drystone:trust.
function f = drystone_fit (m, varargin)
  f = drystone_mex ('fit', m, varargin{:});
end
