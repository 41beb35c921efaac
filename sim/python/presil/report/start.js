"use strict";
// The start of everything. Of several runs a page shows one at a time, or their comparison; a run is
// drawn when it is looked at for the first time.
presil.setUp = (article, record) => {
  const timeline = presil.timeline(article, record);
  presil.engines(article, record);
  presil.layers(article, record);
  presil.kernels(article, record);
  presil.roofline(article, record);
  presil.dataTime(article, [record]);
  presil.tables(article, timeline);
  presil.blocks(article);
};

presil.tabs = (pages) => {
  const tabs = [...document.querySelectorAll("[data-tab]")];
  const show = (name, focus) => {
    for (const tab of tabs) {
      const here = tab.dataset.tab === name;
      tab.setAttribute("aria-selected", here);
      tab.tabIndex = here ? 0 : -1;
      if (here && focus) tab.focus();
      pages[tab.dataset.tab].element.hidden = !here;
    }
    presil.tip.hide();
    if (pages[name].draw) pages[name].draw();
    pages[name].draw = null;
  };
  const asked = () => (pages[location.hash.slice(1)] ? location.hash.slice(1) : "together");
  tabs.forEach((tab, i) => {
    tab.addEventListener("click", () => (location.hash = tab.dataset.tab));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = tabs[(i + step + tabs.length) % tabs.length].dataset.tab;
      history.replaceState(null, "", `#${next}`);
      show(next, true);
    });
  });
  addEventListener("hashchange", () => show(asked()));
  show(asked());
};

{
  const articles = [...document.querySelectorAll("article.run")];
  const records = articles.map((a) => JSON.parse(a.querySelector("script.data").textContent));
  const compared = document.getElementById("compared");
  if (compared) {
    const together = JSON.parse(document.getElementById("together-data").textContent);
    const pages = { together: { element: compared, draw() {
      presil.compare(compared, together, records);
      presil.dataTime(compared, records);
      presil.tables(compared, null);
    } } };
    articles.forEach((a, i) => (pages[a.id] = { element: a, draw: () => presil.setUp(a, records[i]) }));
    presil.tabs(pages);
  } else articles.forEach((a, i) => presil.setUp(a, records[i]));
  document.documentElement.dataset.ready = "true";
}
