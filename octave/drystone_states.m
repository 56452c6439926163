% NAMES = drystone_states (M)
% The names of the states, in the order of x.
function names = drystone_states (m)
  names = drystone_mex ('states', m);
end
