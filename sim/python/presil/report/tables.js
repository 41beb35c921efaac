"use strict";
// Sorting and filtering of tables, and the start of everything.
presil.tables = (article, timeline) => {
  for (const table of article.querySelectorAll("[data-table]")) {
    const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
    const value = (row, i) => {
      const cell = row.cells[i];
      const text = cell.dataset.sort === undefined ? cell.textContent : cell.dataset.sort;
      return text !== "" && isFinite(text) ? Number(text) : text;
    };
    heads.forEach((head, i) => {
      head.tabIndex = 0;
      const sort = () => {
        const numeric = head.classList.contains("num");
        const now = head.getAttribute("aria-sort");
        const down = now ? now === "ascending" : numeric && i > 0; // large numbers first
        heads.forEach((h) => h.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const order = down ? d3.descending : d3.ascending;
        body.append(...[...body.rows].sort((a, b) => order(value(a, i), value(b, i))));
      };
      head.addEventListener("click", sort);
      head.addEventListener("keydown", (event) => event.key === "Enter" && sort());
    });
    const filter = article.querySelector(`[data-filter="${table.dataset.table}"]`);
    filter.addEventListener("input", () => {
      const words = filter.value.toLowerCase().split(/\s+/);
      for (const row of body.rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
      }
    });
    for (const row of body.rows) {
      for (const cell of row.querySelectorAll(".name")) cell.title = cell.textContent;
      if (timeline && row.dataset.layer)
        row.addEventListener("click", () => timeline.show(Number(row.dataset.layer)));
    }
  }
};

const records = [];
for (const article of document.querySelectorAll("article.run")) {
  const record = JSON.parse(article.querySelector("script.data").textContent);
  const timeline = presil.timeline(article, record);
  presil.engines(article, record);
  presil.layers(article, record);
  presil.kernels(article, record);
  presil.roofline(article, record);
  presil.dataTime(article, [record]);
  presil.tables(article, timeline);
  records.push(record);
}
for (const page of document.querySelectorAll("header.page")) presil.dataTime(page, records);
document.documentElement.dataset.ready = "true";
