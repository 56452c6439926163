% X0 = drystone_start (M)
% The states at the start, for an integrator such as ode45.
function x = drystone_start (m)
  x = drystone_mex ('start', m);
end
