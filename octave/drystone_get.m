% VALUE = drystone_get (S, NAME)
% A state, an output, an input or a parameter of a stepper.
function value = drystone_get (s, name)
  value = drystone_mex ('get', s, name);
end
