% NAMES = drystone_inputs (M)
% The names of the inputs that a program sets, in the order of u.
function names = drystone_inputs (m)
  names = drystone_mex ('inputs', m);
end
