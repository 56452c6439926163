% drystone_free (M)
% drystone_free (S)
% Frees a model or a stepper; `clear all` frees them all. A model stays as long as a stepper needs it.
function drystone_free (h)
  drystone_mex ('free', h);
end
