% J = drystone_jac (M, T, X)
% The derivatives of drystone_rhs by the states, exact.
function j = drystone_jac (m, t, x)
  j = drystone_mex ('jac', m, t, x);
end
