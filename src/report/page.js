// The pictures of a run in an element of a page, and how another run takes its place.
//
//   const view = drystone.mount(element, data)   data: what drystone prints as JSON (docs/report.md)
//   view.refresh(data)                           another run; zoom, instant and direction of view stay
//   view.keep("mu = 0.3"), view.forget()         the present run as pale curves; none of them
//
// In a report drystone.view is the view of its pictures; drystone.refresh(data) also exchanges the
// sections that the run changes, and so does a message {drystone: "refresh", data} of the page around it.
(function () {
  const { html, newPanels, newScene } = drystone; // newScene: in pages with bodies

  drystone.mount = function (place, first) {
    let data = first, panels, scene = null;
    place.textContent = "";
    place.classList.add("drystone");
    const stage = html("div", "stage", place), plots = html("div", "plots", place);

    function build() {
      panels = newPanels(plots, data);
      if (scene) scene.remove();
      scene = data.scene && newScene ? newScene(stage, data.scene, t => panels.readAt(t)) : null;
    }
    // steady: the axes only grow, so that they rest while a slider is dragged.
    function refresh(next, { steady = false } = {}) {
      data = next;
      const sameScene = Boolean(scene) === Boolean(data.scene && newScene);
      if (!sameScene || !panels.refresh(data, steady)) {
        panels.remove();
        build();
      } else if (scene) scene.refresh(data.scene);
    }
    function remove() {
      panels.remove();
      if (scene) scene.remove();
      place.textContent = "";
    }
    build();
    return {
      refresh, remove, keep: (name, most = 4) => panels.keep(name, most), forget: () => panels.forget(),
      readAt: t => { panels.readAt(t); if (scene) scene.at(t); }, get data() { return data; },
    };
  };

  // ---- in a report -------------------------------------------------------------------------------

  drystone.refresh = function (data, options) {
    if (drystone.view) drystone.view.refresh(data, options);
    for (const name in data.sections || {})
      document.querySelectorAll('[data-section="' + name + '"]').forEach(e => { e.innerHTML = data.sections[name]; });
  };

  // From the page around this one, if it made this one (an origin of its own) or is of the same origin.
  addEventListener("message", e => {
    if (e.source !== parent || parent === window || !e.data || typeof e.data !== "object") return;
    if (origin !== "null" && e.origin !== origin) return;
    const { drystone: verb, data, options, name } = e.data;
    if (verb === "refresh") drystone.refresh(data, options);
    else if (verb === "keep" && drystone.view) drystone.view.keep(name);
    else if (verb === "forget" && drystone.view) drystone.view.forget();
  });

  const holder = document.getElementById("data"), place = document.getElementById("plots");
  if (holder && place) drystone.view = drystone.mount(place, JSON.parse(holder.textContent));
})();
