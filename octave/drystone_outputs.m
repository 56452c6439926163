% NAMES = drystone_outputs (M)
% The names of forces and other quantities that follow from the states.
function names = drystone_outputs (m)
  names = drystone_mex ('outputs', m);
end
