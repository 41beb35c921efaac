"use strict";
// Bars of causes, by engine and by layer. A legend has at most MOST entries: of more causes the
// smallest are one part, "other", and all stand in a table. Beyond FOLD bars the rest is folded.
presil.MOST = 8;
presil.FOLD = 40;

presil.parts = (of) => {
  const stalls = d3.entries(of.stall).map((e) => ({ cause: e.key, cycles: e.value }));
  const idle = of.idle ? [{ cause: "idle", cycles: of.idle }] : [];
  return [{ cause: "busy", cycles: of.busy }, ...stalls, ...idle].filter((p) => p.cycles);
};
presil.limits = (of) => d3.entries(of.limits).map((e) => ({ cause: e.key, cycles: e.value })).filter((p) => p.cycles);

// Causes with their cycles over all bars: work first, then the largest, waits, idle.
presil.causesOf = (bars) => {
  const sums = d3.map(), most = d3.map();
  for (const bar of bars)
    for (const { cause, cycles } of bar.parts) {
      sums.set(cause, (sums.get(cause) || 0) + cycles);
      if (!most.has(cause) || most.get(cause).cycles < cycles) most.set(cause, { cycles, bar: bar.name });
    }
  const late = (c) => (c === "idle" ? 3 : presil.isWait(c) ? 2 : c === "busy" || c === "array" ? 0 : 1);
  return sums.entries()
    .map((e) => ({ cause: e.key, cycles: e.value, most: most.get(e.key).bar }))
    .sort((a, b) => late(a.cause) - late(b.cause) || b.cycles - a.cycles);
};

// The names that a legend shows, of causes as causesOf has them.
presil.shown = (causes) => {
  const named = causes.filter((c) => c.cause !== "idle");
  if (named.length <= presil.MOST) return d3.set(named.map((c) => c.cause));
  const largest = named.slice().sort((a, b) => b.cycles - a.cycles).slice(0, presil.MOST - 1);
  return d3.set(largest.map((c) => c.cause));
};

// Parts as they are drawn: in the order of the causes, the small ones together at their end.
presil.drawn = (parts, causes, shown) => {
  const rank = d3.map();
  causes.forEach((c, i) => rank.set(c.cause, i));
  const seen = (p) => shown.has(p.cause) || p.cause === "idle";
  const few = parts.filter(seen).sort((a, b) => rank.get(a.cause) - rank.get(b.cause));
  const rest = parts.filter((p) => !seen(p)).sort((a, b) => b.cycles - a.cycles);
  if (!rest.length) return few;
  const other = { cause: "other", cycles: d3.sum(rest, (p) => p.cycles), of: rest };
  const at = few.findIndex((p) => p.cause === "idle" || presil.isWait(p.cause));
  few.splice(at < 0 ? few.length : at, 0, other);
  return few;
};

// Every cause in words and numbers, for readers who cannot see or touch the bars.
presil.causeTable = (plot, causes, shown) => {
  const named = causes.filter((c) => c.cause !== "idle"), sum = d3.sum(named, (c) => c.cycles) || 1;
  const rest = named.length - shown.size();
  const box = document.createElement("details"), summary = document.createElement("summary");
  box.className = "causes";
  summary.textContent = rest > 0 ? `${rest} more causes are “other”: all as a table` : "As a table";
  const scroll = document.createElement("div"), table = document.createElement("table");
  scroll.className = "scroll";
  const head = table.createTHead().insertRow(), body = table.createTBody();
  for (const [text, kind] of [["cause", ""], ["cycles", "num"], ["share", "num"], ["most in", ""], ["in the legend", ""]]) {
    const cell = document.createElement("th");
    cell.textContent = text;
    cell.className = kind;
    head.append(cell);
  }
  for (const c of named.slice().sort((a, b) => b.cycles - a.cycles)) {
    const row = body.insertRow(), name = row.insertCell();
    row.dataset.cause = c.cause;
    name.append(presil.swatch(c.cause), presil.cause(c.cause));
    const add = (text, kind) => Object.assign(row.insertCell(), { textContent: text, className: kind });
    add(presil.number(c.cycles), "num");
    add(`${((100 * c.cycles) / sum).toFixed(1)} %`, "num");
    add(c.most, "");
    add(shown.has(c.cause) ? presil.cause(c.cause) : "other", "");
  }
  scroll.append(table);
  box.append(summary, scroll);
  plot.append(box);
};

// bars: {name, parts}, or {heading}. settings.total: the bars' own cycles stand after them;
// settings.whole: no bar is cut.
presil.stacks = (plot, bars, settings = {}) => {
  const filled = bars.filter((b) => b.parts), causes = presil.causesOf(filled), shown = presil.shown(causes);
  const named = causes.filter((c) => shown.has(c.cause));
  const entries = named.map((c) => [presil.cause(c.cause), presil.swatch(c.cause)]);
  if (causes.some((c) => c.cause !== "idle" && !shown.has(c.cause))) entries.push(["other", presil.swatch("other")]);
  presil.legend(plot, entries);
  // One long wait must not press all work to the left: bars of waits are cut, and say so.
  const length = (bar, counted) => d3.sum(bar.parts, (p) => (counted(p.cause) ? p.cycles : 0));
  const work = d3.max(filled, (b) => length(b, (cause) => cause !== "idle" && !presil.isWait(cause)));
  const longest = d3.max(filled, (b) => length(b, () => true));
  const end = (settings.whole ? longest : Math.min(longest, work * 1.6)) || longest || 1;
  const draw = (place, some) => presil.bars(place, some, end, (bar) => presil.drawn(bar.parts, causes, shown), settings);
  draw(plot, bars.slice(0, presil.FOLD));
  presil.fold(plot, bars.slice(presil.FOLD), draw, (rest) => {
    const cycles = d3.sum(rest, (b) => length(b, (cause) => cause !== "idle"));
    return `${rest.length} more, ${presil.number(cycles)} cycles together`;
  });
  presil.causeTable(plot, causes, shown);
};

// What does not stand among the first is drawn on request.
presil.fold = (plot, rest, draw, say) => {
  if (!rest.length) return;
  const box = document.createElement("details"), summary = document.createElement("summary");
  const inner = document.createElement("div");
  box.className = "folded";
  inner.className = "plot";
  summary.textContent = say(rest);
  box.append(summary, inner);
  box.addEventListener("toggle", () => draw(inner, rest), { once: true });
  plot.append(box);
};

presil.bars = (plot, bars, end, partsOf, settings) => {
  const HEIGHT = 24, svg = d3.select(plot).append("svg").attr("height", bars.length * HEIGHT + 24);
  presil.fitted(plot, (width) => {
    const label = Math.min(190, width * 0.32), edge = settings.total ? 68 : 16;
    const x = d3.scale.linear().domain([0, end]).range([label, width - edge]).clamp(true);
    svg.selectAll("*").remove();
    const axis = d3.svg.axis().scale(x).orient("bottom").tickSize(-bars.length * HEIGHT)
      .ticks(Math.max(2, Math.floor(width / 130))).tickFormat(presil.short);
    svg.append("g").attr("transform", `translate(0,${bars.length * HEIGHT})`).call(axis);
    const rows = svg.selectAll("g.bar").data(bars).enter().append("g").attr("class", "bar")
      .attr("transform", (_, i) => `translate(0,${i * HEIGHT})`);
    rows.append("text").attr({ x: 0, y: HEIGHT / 2 + 4 }).attr("class", (b) => (b.heading ? "heading" : "strong"))
      .text((b) => b.heading || presil.shortened(b.name, label - 12));
    rows.filter((b) => b.parts).each(function (bar) {
      const row = d3.select(this);
      let at = 0;
      const parts = partsOf(bar).map((p) => ({ ...p, bar, from: at, to: (at += p.cycles) }));
      const marks = row.selectAll("rect").data(parts).enter().append("rect").attr({
        x: (p) => x(p.from), y: 4, height: HEIGHT - 8, "data-cause": (p) => p.cause,
        width: (p) => x(p.to) - x(p.from),
      }).style("fill", (p) => presil.fill(p.cause));
      if (at > end)
        row.append("text").attr({ class: "cut", x: width - 4, y: HEIGHT / 2 + 4, "text-anchor": "end" }).text(`… ${presil.number(at)}`);
      else if (settings.total)
        row.append("text").attr({ class: "total", x: x(at) + 5, y: HEIGHT / 2 + 4 }).text(presil.number(at));
      presil.tips(marks, (p) => [
        p.bar.full || p.bar.name,
        `${presil.cause(p.cause)}: ${presil.number(p.cycles)} cycles`,
        `${((100 * p.cycles) / at).toFixed(1)} % of ${presil.number(at)}`,
        ...(p.of || []).slice(0, 6).map((c) => `${presil.cause(c.cause)} ${presil.number(c.cycles)}`),
      ]);
    });
  });
};

presil.engineBars = (record, per = 1, of = (name) => name) => {
  const bars = [], scaled = (v) => presil.parts(v).map((p) => ({ ...p, cycles: p.cycles / per }));
  for (const { key, value } of d3.entries(record.engines)) {
    if (!value) continue;
    bars.push({ engine: key, name: of(key), parts: scaled(value) });
    (value.channels || []).forEach((c, i) => bars.push({ engine: `dma${i}`, name: of(`dma${i}`), parts: scaled(c) }));
  }
  return bars;
};

presil.engines = (article, record) =>
  presil.stacks(article.querySelector('[data-plot="engines"]'), presil.engineBars(record), { whole: true });

// What a layer costs: its own time, where the record has that; else from its start to its end.
presil.cost = (layer) => (layer.own_cycles === undefined ? layer.cycles : layer.own_cycles);
presil.worked = (record) => record.layers.filter((l) => l.cycles || l.commands);
presil.byCost = (layers) => layers.slice().sort((a, b) => presil.cost(b) - presil.cost(a) || a.index - b.index);

presil.layers = (article, record) => {
  const layers = presil.byCost(presil.worked(record)), limited = layers.every((l) => l.limits);
  const bars = layers.map((l) => ({ name: `${l.index} ${l.name}`, parts: limited ? presil.limits(l) : presil.parts(l) }));
  presil.stacks(article.querySelector('[data-plot="layers"]'), bars, { total: true });
};

presil.kernels = (article, record) => {
  const plot = article.querySelector('[data-plot="kernels"]');
  if (plot) presil.stacks(plot, record.kernels.map((k) => ({ name: k.name, parts: presil.parts(k) })), { total: true });
};
