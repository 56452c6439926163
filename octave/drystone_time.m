% T = drystone_time (S)
% The present time of a stepper, s.
function t = drystone_time (s)
  t = drystone_mex ('time', s);
end
