% V = drystone_version ()
% The version of the library.
function v = drystone_version ()
  v = drystone_mex ('version');
end
