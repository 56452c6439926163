% WHY = drystone_stopped (S)
% Why the model ended its run at the last step (`stop when`); '': it did not.
function why = drystone_stopped (s)
  why = drystone_mex ('stopped', s);
end
