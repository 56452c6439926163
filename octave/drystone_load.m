% M = drystone_load (PATH, NAME, VALUE, ...)
% Reads and compiles a model.
%
% NAME, VALUE: parameters ("F", 0.4; "F", "0.4 kN"; "n", [1 2]), options ("step", 1e-3; "until", 5; "method", "rk4")
% and inputs ("u", {times, values}; "u", {times, values, "mN"}; "u", @(t) 3*t; "u", "log.csv:force").
% A number of a parameter or an input is in SI units. A mistake in the text is an error drystone:model:..., with the line
% and a caret; notes and warnings of the compiler are warnings.
function m = drystone_load (path, varargin)
  m = drystone_mex ('load', path, varargin{:});
end
