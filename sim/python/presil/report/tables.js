"use strict";
// Sorting and filtering of tables.
presil.tables = (article, timeline) => {
  for (const table of article.querySelectorAll("[data-table]")) {
    const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
    const value = (row, i) => {
      const cell = row.cells[i];
      const time = table.closest(".time") && cell.dataset.sortUs;
      const text = time || (cell.dataset.sort === undefined ? cell.textContent : cell.dataset.sort);
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
    if (timeline && table.dataset.table === "layers") presil.walk(body, timeline);
    for (const row of body.rows) {
      for (const cell of row.querySelectorAll(".name")) cell.title = cell.textContent;
    }
  }
};

// Blocks of layers: those with a layer that has the words stay, opened where they are few.
presil.blocks = (article) => {
  const filter = article.querySelector("[data-filter-blocks]");
  if (!filter) return;
  const blocks = [...article.querySelectorAll("details.block")];
  filter.addEventListener("input", () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const has = (element) => words.every((word) => element.textContent.toLowerCase().includes(word));
    for (const block of blocks) {
      const rows = [...block.querySelectorAll("tbody tr")];
      const kept = rows.filter(has);
      block.hidden = words.length > 0 && kept.length === 0 && !has(block.querySelector("summary"));
      for (const row of rows) row.hidden = kept.length > 0 && !kept.includes(row);
      block.open = words.length > 0 && !block.hidden;
    }
  });
};

// Rows of layers: a touch, or Enter, shows one in the timeline; arrows go from row to row, so that
// the table is one stop of the Tab key.
presil.walk = (body, timeline) => {
  if (body.rows.length) body.rows[0].tabIndex = 0;
  const go = (row, way) => {
    let next = row[way];
    while (next && next.hidden) next = next[way];
    if (!next) return;
    row.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  };
  body.addEventListener("click", (event) => timeline.show(Number(event.target.closest("tr").dataset.layer)));
  body.addEventListener("keydown", (event) => {
    const row = event.target.closest("tr");
    if (event.key === "Enter") timeline.show(Number(row.dataset.layer));
    else if (event.key === "ArrowDown") go(row, "nextElementSibling");
    else if (event.key === "ArrowUp") go(row, "previousElementSibling");
    else return;
    event.preventDefault();
  });
};
