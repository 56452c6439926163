% P = drystone_parameters (M)
% The scalar parameters: P(k).name, P(k).value (SI), P(k).unit.
function p = drystone_parameters (m)
  p = drystone_mex ('parameters', m);
end
