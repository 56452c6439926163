% RATE = drystone_rhs (M, T, X)
% The rate of the states at (T, X), for integrators of others:
%
%   [t, x] = ode15s (@(t, x) drystone_rhs (m, t, x), [0 5], drystone_start (m), ...
%                    odeset ("Jacobian", @(t, x) drystone_jac (m, t, x)));
%
% A model with samples, delays or contacts of parts is refused: its states change between steps, too.
function rate = drystone_rhs (m, t, x)
  rate = drystone_mex ('rhs', m, t, x);
end
