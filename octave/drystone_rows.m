% X = drystone_rows (S, U)
% X = drystone_rows (S, U, INTERVAL)
% Many rows in one call: row k of U (rows by inputs) is held over the interval (default: the step). Returns the states at
% the end of each row, rows by states; fewer rows if the model stopped. The bits are those of a loop of drystone_advance.
function x = drystone_rows (s, u, varargin)
  x = drystone_mex ('rows', s, u, varargin{:});
end
