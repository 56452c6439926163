// runs: one run after another; while one runs, only the newest wish waits.

const ABOUT_ALL = 1500;              // ms: a model that ran in less is run again after every change of its text

const runs = (function () {
  let wish = null, busy = null, last = null, counter = 0, clock = 0;
  const shown = [], failed = [], slow = [];

  function showState(text) { $("status").textContent = text; }
  // progress: { t, until }
  function showRunning(on, progress) {
    $("stop").hidden = !on;
    $("run").hidden = on;
    if (on) showState(progress ? "running: t = " + numberText(progress.t, 3) + (progress.until ? " of " + numberText(progress.until) : "") + " s" : "running …");
  }

  async function next() {
    if (busy || !wish) return;
    busy = wish;
    wish = null;
    const soon = setTimeout(() => { showRunning(true); slow.forEach(f => f()); }, 250);
    clock = setTimeout(() => stop("the run was ended after " + LONGEST_RUN + " s, the limit of this page: shorten it (until), or lengthen its step or record"), 1000 * LONGEST_RUN);
    try {
      const run = await threads.run.ask("run", busy.job, progress => showRunning(true, progress));
      last = Object.assign(run, { job: busy.job, number: ++counter });
      if (!wish || !wish.clears) for (const f of shown) await f(run);
    } catch (e) {
      if (!wish) failed.forEach(f => f(e, busy.job));
    }
    clearTimeout(soon);
    clearTimeout(clock);
    busy = null;
    if (!wish) showRunning(false);
    next();
  }

  function stop(text) {
    if (!busy) return;
    wish = null;
    threads.run.end(text || "stopped", "ended");
  }

  return {
    ask(job, clears = false) { wish = { job, clears }; next(); },
    stop,
    get last() { return last; },
    get busy() { return Boolean(busy || wish); },
    forget() { last = null; },
    onslow: f => slow.push(f),
    onrun: f => shown.push(f),
    onfail: f => failed.push(f),
    say: showState,
  };
})();
