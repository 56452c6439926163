% Tests of the functions of octave/, against closed forms: prints TAP.
1;

function check (name, good)
  global count wrong
  count++;
  if (isscalar (good) && good)
    printf ("ok %d - %s\n", count, name);
  else
    wrong++;
    printf ("not ok %d - %s\n", count, name);
  end
end

function refuses (name, id, words, f)
  try
    f ();
    printf ("# it did not fail\n");
    check (name, false);
  catch e
    good = strcmp (e.identifier, id) && ! isempty (strfind (e.message, words));
    if (! good) printf ("# %s: %s\n", e.identifier, e.message); end
    check (name, good);
  end
end

function d = way (v0, mu)
  d = v0^2 / (2 * mu * 9.81);
end

% x(t) of the cart after a step of the force
function x = response (t, u)
  m = 2; k = 50; c = 4; w0 = sqrt (k / m); d = c / (2 * m); w = sqrt (w0^2 - d^2);
  x = u / k * (1 - exp (-d * t) .* (cos (w * t) + d / w * sin (w * t)));
end

global count wrong
count = wrong = 0;
near = @(a, b, tol) all (abs (a - b) <= tol);

puck = ["param m = 0.5 [kg], g = 9.81 [m/s^2], mu = 0.2, v0 = 1 [m/s]\nstate x = 0 [m], v = v0\nf in mu*m*g*sgn(v)\n" ...
        "x' = v\nm*v' = -f\nrun until = 1 [s], step = 0.1 [ms]\nmeasure way = final(x)\nexpect way < 1 [m]\n"];
cart = ["param m = 2 [kg], k = 50 [N/m], c = 4 [kg/s]\nstate x = 0 [m], v = 0 [m/s]\ninput u = 0 [N]\nx' = v\n" ...
        "m*v' = u - k*x - c*v\nq = k*x\nrun until = 2 [s], step = 1 [ms], method = rk4\n"];

% ---- runs
m = drystone_compile (puck);
r = drystone_run (m);
check ("a puck slides as far as its energy lasts", near (r.measures.way, way (1, 0.2), 1e-4 * way (1, 0.2)));
check ("the columns have their names", isequal (fieldnames (r.column)(1:3), {"t"; "x"; "v"}) && isequal (r.names(1:3), {"t"; "x"; "v"}));
check ("and units", strcmp (r.units{3}, "m/s") && r.met && strcmp (r.watch, "trusted") && r.error < 1e-2);
check ("and lengths", numel (r.t) == 10001 && r.t(end) == 1 && r.end == 1 && isempty (r.stopped) && r.steps == 10000);
r = drystone_run (m, "mu", 0.4, "v0", "150 cm/s", "watch", false, "native", false);
check ("parameters as numbers and texts", near (r.measures.way, way (1.5, 0.4), 1e-4) && strcmp (r.watch, "not watched") && ! r.native);
r = drystone_run (m, "native", true, "watch", false);
check ("native code", r.native && near (r.measures.way, way (1, 0.2), 1e-4 * way (1, 0.2)));
r = drystone_run (m, "method", "dop853", "until", 2, "record", 0.5);
check ("options", numel (r.t) == 5 && near (r.measures.way, way (1, 0.2), 1e-4 * way (1, 0.2)));
other = drystone_with (m, "mu", single (0.4));
p = drystone_parameters (other);
check ("another model keeps what it was given", near (drystone_run (other).measures.way, way (1, 0.4), 1e-4) && ...
       near (p(3).value, 0.4, 1e-7) && strcmp (p(3).name, "mu") && strcmp (p(1).unit, "kg"));

c = drystone_compile (cart);
a = drystone_run (c, "u", 3);
check ("an input as a number", near (a.column.x, response (a.t, 3), 1e-9));
b = drystone_run (c, "u", {[0 2], [3000 3000], "mN"});
check ("as a record with a unit", near (b.column.x, a.column.x, 1e-12));
f = drystone_run (c, "u", @(t) 4 * t);
g = drystone_run (c, "u", {[0; 2], [0; 8]});
check ("as a function", near (f.column.x, g.column.x, 1e-12) && f.column.x(end) > 0.1);
check ("names", isequal (drystone_inputs (c), {"u"}) && isequal (drystone_states (c), {"u"; "x"; "v"}) && isequal (drystone_outputs (c), {"q"}));
check ("equations", ! isempty (strfind (drystone_equations (m, false), "sgn")) && isempty (strfind (drystone_equations (m), "sgn")));

% the numbers of the command
[status, text] = system ([getenv("DRYSTONE") " run models/hello.dry --quiet --no-watch -o -"]);
lines = strsplit (text, "\n");
table = str2num (["[" strjoin(lines(2:end), ";") "]"]);
h = drystone_run (drystone_load ("models/hello.dry"), "watch", false);
check ("the bits of the command", status == 0 && isequal (table(:, 2), h.column.p) && rows (table) == 10001);

% ---- steps
s = drystone_stepper (c);
x = zeros (2000, 1);
for k = 1:2000
  y = drystone_step (s, 3);
  x(k) = y(2);
end
check ("a loop", near (x, response (1e-3 * (1:2000)', 3), 1e-9) && near (drystone_time (s), 2, 1e-12));
check ("reading", drystone_get (s, "x") == x(end) && near (drystone_get (s, "q"), 50 * x(end), 1e-12) && drystone_get (s, "u") == 3 && drystone_get (s, "k") == 50);
y = drystone_reset (s);
check ("reset", drystone_time (s) == 0 && y(2) == 0);
all_rows = drystone_rows (s, 3 * ones (2000, 1));
check ("rows have the bits of a loop", isequal (all_rows(:, 2), x));
drystone_reset (s);
drystone_set (s, "k", 100, "u", 1);
y = drystone_advance (s, 5);
check ("set", near (y(2), 1 / 100, 1e-4));
n = drystone_stepper (c, "native", true);
check ("native steps", isequal (drystone_rows (n, 3 * ones (2000, 1)), all_rows));
falls = drystone_compile (["state x = 1 [m], v = 0 [m/s]\nx' = v\nv' = -9.81 [m/s^2]\nstop when x < 0 [m] as \"it lands\"\n" ...
                           "run until = 1 [s], step = 1 [ms]\n"]);
d = drystone_stepper (falls);
few = drystone_rows (d, zeros (1000, 0));
check ("a model that stops", strcmp (drystone_stopped (d), "it lands") && rows (few) == floor (sqrt (2 / 9.81) / 1e-3));
r = drystone_run (falls);
check ("its run, too", strcmp (r.stopped, "it lands") && near (r.end, sqrt (2 / 9.81), 1e-6));

% ---- rates
x0 = drystone_start (c);
x0(1) = 3;
[t, x] = ode45 (@(t, x) drystone_rhs (c, t, x), [0 2], x0, odeset ("RelTol", 1e-8, "AbsTol", 1e-10));
check ("ode45", near (x(:, 2), response (t, 3), 1e-6));
x0 = drystone_start (m);
j = drystone_jac (m, 0, x0);
d = zeros (size (j));
for k = 1:numel (x0)
  e = zeros (size (x0)); e(k) = 1e-7;
  d(:, k) = (drystone_rhs (m, 0, x0 + e) - drystone_rhs (m, 0, x0 - e)) / 2e-7;
end
check ("jac", all (abs (j(:) - d(:)) <= 1e-4 * max (abs (j(:)))));

% ---- mistakes
wrong_text = "state v = 0 [m/s]\nv' = q\nrun until = 1 [s]\n";
refuses ("a message has its identifier", "drystone:model:unknown_name", "text.dry:2:6", @() drystone_compile (wrong_text));
refuses ("the line", "drystone:model:unknown_name", "2 | v' = q", @() drystone_compile (wrong_text));
refuses ("and a caret", "drystone:model:unknown_name", "^", @() drystone_compile (wrong_text));
refuses ("a file that is missing", "drystone:file", "no-such.dry", @() drystone_load ("no-such.dry"));
refuses ("a parameter that is misspelt", "drystone:model:no_such_param", "`mu`", @() drystone_run (m, "nu", 1));
refuses ("nan", "drystone:argument", "nan", @() drystone_run (m, "mu", NaN));
refuses ("a complex number", "drystone:argument", "real", @() drystone_run (m, "mu", 1i));
refuses ("a name without a value", "drystone:argument", "NAME, VALUE", @() drystone_run (m, "mu"));
refuses ("a name twice", "drystone:argument", "twice", @() drystone_run (m, "mu", 1, "mu", 2));
refuses ("a value that is no number", "drystone:argument", "real", @() drystone_run (m, "mu", true));
refuses ("an option that is no number", "drystone:argument", "real", @() drystone_run (m, "until", true));
refuses ("an option of true and false", "drystone:argument", "true or false", @() drystone_run (m, "watch", 1));
refuses ("a method", "drystone:argument", "rk4", @() drystone_run (m, "method", "rk5"));
refuses ("a record of two lengths", "drystone:argument", "as many", @() drystone_run (c, "u", {[0 1 2], [1 2]}));
refuses ("times that go back", "drystone:model:table_rise", "rise", @() drystone_run (c, "u", {[0 2 1], [1 2 3]}));
refuses ("a mistake in a function", "drystone:input", "at t = 0 s", @() drystone_run (c, "u", @(t) no_such_function (t)));
refuses ("a function of two numbers", "drystone:argument", "one number", @() drystone_run (c, "u", @(t) [t t]));
refuses ("inputs of a wrong length", "drystone:argument", "1 numbers", @() drystone_step (s, [1 2]));
refuses ("an input that is nan", "drystone:argument", "finite", @() drystone_step (s, NaN));
refuses ("rows of a wrong width", "drystone:argument", "1 columns", @() drystone_rows (s, ones (3, 2)));
refuses ("a time before", "drystone:argument", "later time", @() drystone_advance (s, -1));
refuses ("a time that is nan", "drystone:argument", "later time", @() drystone_advance (s, NaN));
refuses ("a name that is not there", "drystone:argument", "nowhere", @() drystone_get (s, "nowhere"));
refuses ("a stepper for a model", "drystone:handle", "model", @() drystone_run (s));
refuses ("a number for a model", "drystone:handle", "model", @() drystone_run (1e300));
refuses ("a text for a model", "drystone:handle", "model", @() drystone_run ("m"));
refuses ("a verb", "drystone:argument", "no verb", @() drystone_mex ("rnu", m));
refuses ("too few arguments", "drystone:argument", "MODEL", @() drystone_mex ("run"));
refuses ("a rate that is not there", "drystone:unsupported", "sets", @() drystone_rhs (drystone_with (m, "method", "rigid"), 0, [0 0 0]));
blows = drystone_compile ("state x = 1 [m]\nx' = x*x/(1 [m s])\nrun until = 2 [s], method = dop853\n");
refuses ("a run that ends early", "drystone:run", "drystone_result", @() drystone_run (blows));
check ("leaves what there is", numel (drystone_result.t) > 10 && near (drystone_result.column.x(5), 1 / (1 - drystone_result.t(5)), 1e-4));
drystone_free (c);
check ("a stepper keeps its model", numel (drystone_step (s)) == 3);
refuses ("a model that is freed", "drystone:handle", "before drystone_free", @() drystone_run (c));
drystone_free (s);
refuses ("a stepper that is freed", "drystone:handle", "stepper", @() drystone_step (s));
lastwarn ("");
drystone_run (drystone_compile ([puck "expect way = 1 [m] +- 0.1 [m]\n"]));
[~, id] = lastwarn ();
check ("an expectation that is not met warns", strcmp (id, "drystone:expectation"));
% ---- sweeps and fits
s = drystone_sweep (m, "mu", [0.2 0.3 0.5], "v0", "0.5:1:3");
check ("a sweep has the numbers of single runs", isequal (size (s.measures.way), [3 3]) && s.failed == 0 && ...
       s.measures.way(2,3) == drystone_run (m, "mu", 0.3, "v0", 1).measures.way);
check ("over its axes", isequal (s.axis.mu(:,1), [0.2; 0.3; 0.5]) && near (s.axis.v0(1,:), [0.5 0.75 1], 1e-15) && ...
       near (s.measures.way, s.axis.v0.^2 ./ (2 * s.axis.mu * 9.81), 1e-4));
s = drystone_sweep (drystone_with (m, "mu", 0.9), "mu", [0.2 0.4], "v0", 0.5, "g", 1.62, "until", 2, "threads", 2);
check ("other parameters hold for all points", near (s.measures.way, 0.25 ./ (2 * [0.2; 0.4] * 1.62), 1e-3));
refuses ("a sweep without an axis", "drystone:argument", "needs an axis", @() drystone_sweep (m, "mu", 0.2));
refuses ("an axis that is not a parameter", "drystone:argument", "nu", @() drystone_sweep (m, "nu", [1 2]));
refuses ("an axis that is not finite", "drystone:argument", "finite", @() drystone_sweep (m, "mu", [1 NaN]));
swing = [tempname() ".csv"];
t = (0:0.01:3)'; w = sqrt (24); % of k = 50 N/m, c = 4 kg/s
x = 0.1 * exp (-t) .* (cos (w * t) + sin (w * t) / w) + 1e-4 * sin (1e3 * t.^2);
id = fopen (swing, "w"); fprintf (id, "t,x\n"); fprintf (id, "%.12g,%.12g\n", [t x]'); fclose (id);
damped = drystone_compile (["param m = 2 [kg], k = 40 [N/m], c = 3 [kg/s]\nfree k, c\nstate x = 0.1 [m], v = 0 [m/s]\nx' = v\n" ...
        "m*v' = -k*x - c*v\noutput x against \"" swing "\" column \"x\" [m]\nrun until = 3 [s], step = 1 [ms], method = rk4\n"]);
f = drystone_fit (damped);
check ("a fit finds what made the data", isequal (f.names, {"k"; "c"}) && near (f.value, [50; 4], [0.1; 0.01]) && f.settled);
check ("with intervals", all (f.interval(:,1) < f.value & f.value < f.interval(:,2)) && all (f.deviation > 0));
check ("and what was compared", near (f.outputs{1}.measured, x, 1e-11) && near (f.outputs{1}.model, x, 3e-4));
better = drystone_parameters (drystone_compile (f.text));
check ("and a text with the values", strcmp (better(2).name, "k") && near (better(2).value, f.value(1), 1e-6));
f = drystone_fit (damped, "free", {"k", [1 1e4], "log"}, "c", 4, "data", swing, "hold_last", 0.3);
check ("what is free can be given", isequal (f.names, {"k"}) && near (f.value, 50, 0.1) && f.outputs{1}.held_rms > 0);
refuses ("bounds that fall", "drystone:argument", "low high", @() drystone_fit (damped, "free", {"k", [2 1]}));
refuses ("a part beyond 1", "drystone:argument", "hold_last", @() drystone_fit (damped, "hold_last", 2));
refuses ("a file that is not there", "drystone:argument", "none.csv", @() drystone_fit (damped, "data", "none.csv"));
delete (swing);

for k = 1:300 % memory that is used after it is freed would show
  try
    drystone_run (m, "mu", [1 2]);
  catch
  end
  t = drystone_stepper (m, "mu", 0.3);
  drystone_step (t);
  drystone_free (t);
end
check ("after many mistakes all is well", near (drystone_run (m).measures.way, way (1, 0.2), 1e-4));
printf ("1..%d\n", count);
