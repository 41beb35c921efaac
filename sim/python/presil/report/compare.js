"use strict";
// Runs side by side: engines of all runs, and layers with a bar for each run.
presil.compare = (page, together, records) => {
  const engines = d3.nest().key((b) => b.engine).entries(
    records.flatMap((record, i) => presil.engineBars(record, record.samples, () => together.runs[i].label)));
  const worked = engines.filter((e) => e.values.some((b) => b.parts.some((p) => p.cause !== "idle")));
  const bars = worked.flatMap(({ key, values }) => [{ heading: key }, ...values.map((b) => ({ ...b, full: `${key}, ${b.name}` }))]);
  presil.stacks(page.querySelector('[data-plot="engines-together"]'), bars, { whole: true });
  const plot = page.querySelector('[data-plot="layers-together"]');
  const draw = (unit) => {
    plot.replaceChildren();
    presil.groups(plot, together.runs, together.layers, unit);
  };
  draw("cycles");
  for (const button of page.querySelectorAll("[data-unit]"))
    button.addEventListener("click", () => {
      const unit = button.dataset.unit;
      for (const b of page.querySelectorAll("[data-unit]")) b.setAttribute("aria-pressed", b === button);
      page.classList.toggle("time", unit === "us");
      draw(unit);
    });
};

presil.FEW = 20; // layers of several bars each

// layers: {name, cells: [{cycles, us, bound} or null]}.
presil.groups = (plot, runs, layers, unit) => {
  const of = (cell) => (cell ? cell[unit] : 0), most = (layer) => d3.max(layer.cells, of);
  const sorted = layers.slice().sort((a, b) => most(b) - most(a));
  const end = d3.max(sorted, most) || 1;
  presil.legend(plot, runs.map((run) => [run.label, run.colour]));
  const show = (place, some) => presil.groupBars(place, runs, some, unit, end);
  show(plot, sorted.slice(0, presil.FEW));
  presil.fold(plot, sorted.slice(presil.FEW), show, (rest) => `${rest.length} more layers`);
};

presil.groupBars = (plot, runs, layers, unit, end) => {
  const BAR = 13, GAP = 10, high = runs.length * BAR + GAP;
  const value = unit === "us" ? d3.format(",.2f") : presil.number, words = unit === "us" ? "µs" : "cycles";
  const svg = d3.select(plot).append("svg").attr("height", layers.length * high + 24);
  presil.fitted(plot, (width) => {
    const label = Math.min(190, width * 0.32);
    const x = d3.scale.linear().domain([0, end]).range([label, width - 68]);
    svg.selectAll("*").remove();
    const axis = d3.svg.axis().scale(x).orient("bottom").tickSize(-layers.length * high)
      .ticks(Math.max(2, Math.floor(width / 130))).tickFormat(presil.short);
    svg.append("g").attr("transform", `translate(0,${layers.length * high})`).call(axis);
    const rows = svg.selectAll("g.bar").data(layers).enter().append("g").attr("class", "bar")
      .attr("transform", (_, i) => `translate(0,${i * high + GAP / 2})`);
    rows.append("text").attr({ class: "strong", x: 0, y: (runs.length * BAR) / 2 + 4 })
      .text((l) => presil.shortened(l.name, label - 12));
    rows.each(function (layer) {
      const cells = layer.cells.map((cell, i) => ({ cell, run: runs[i], i })).filter((d) => d.cell);
      const row = d3.select(this);
      const marks = row.selectAll("rect").data(cells).enter().append("rect").attr({
        x: label, y: (d) => d.i * BAR, height: BAR - 1, width: (d) => Math.max(1, x(d.cell[unit]) - label),
      }).style("fill", (d) => d.run.colour);
      row.selectAll(".total").data(cells).enter().append("text")
        .attr({ class: "total", x: (d) => x(d.cell[unit]) + 5, y: (d) => d.i * BAR + 10 })
        .text((d) => value(d.cell[unit]));
      presil.tips(marks, (d) => [layer.name, d.run.label, `${value(d.cell[unit])} ${words}`, `limited by ${presil.cause(d.cell.bound)}`]);
    });
  });
};
