"use strict";
// Stacks of causes, by engine and by layer, and the roofline.
presil.stacks = (plot, bars) => {
  const causes = [...new Set(bars.flatMap((b) => b.parts.map((p) => p.cause)))];
  presil.legend(plot, causes.filter((c) => c !== "idle").map((c) => [presil.cause(c), presil.causeColour(c)]));
  const HEIGHT = 24, svg = d3.select(plot).append("svg").attr("height", bars.length * HEIGHT + 24);
  // One long wait must not press all work to the left: bars of waits are cut, and say so.
  const length = (bar, counted) => d3.sum(bar.parts, (p) => (counted(p.cause) ? p.cycles : 0));
  const work = d3.max(bars, (b) => length(b, (cause) => cause !== "idle" && !presil.isWait(cause)));
  const longest = d3.max(bars, (b) => length(b, () => true));
  const end = Math.min(longest, work * 1.6) || longest || 1;
  presil.fitted(plot, (width) => {
    const label = Math.min(190, width * 0.32);
    const x = d3.scale.linear().domain([0, end]).range([label, width - 16]).clamp(true);
    svg.selectAll("*").remove();
    const axis = d3.svg.axis().scale(x).orient("bottom").tickSize(-bars.length * HEIGHT)
      .ticks(Math.max(2, Math.floor(width / 130))).tickFormat(presil.short);
    svg.append("g").attr("transform", `translate(0,${bars.length * HEIGHT})`).call(axis);
    const rows = svg.selectAll("g.bar").data(bars).enter().append("g").attr("class", "bar")
      .attr("transform", (_, i) => `translate(0,${i * HEIGHT})`);
    const letters = Math.max(4, Math.floor((label - 12) / 6.6));
    rows.append("text").attr({ class: "strong", x: 0, y: HEIGHT / 2 + 4 })
      .text((b) => (b.name.length > letters ? `${b.name.slice(0, letters - 1)}…` : b.name));
    rows.each(function (bar) {
      let at = 0;
      const parts = bar.parts.map((p) => ({ ...p, bar, from: at, to: (at += p.cycles) }));
      const marks = d3.select(this).selectAll("rect").data(parts).enter().append("rect").attr({
        x: (p) => x(p.from), y: 4, height: HEIGHT - 8,
        width: (p) => x(p.to) - x(p.from),
      }).style("fill", (p) => presil.causeColour(p.cause));
      if (at > end)
        d3.select(this).append("text").attr({ class: "cut", x: width - 20, y: HEIGHT / 2 + 4, "text-anchor": "end" })
          .text(`… ${presil.number(at)}`);
      presil.tips(marks, (p) => [
        p.bar.name,
        `${presil.cause(p.cause)}: ${presil.number(p.cycles)} cycles`,
        `${((100 * p.cycles) / at).toFixed(1)} % of ${presil.number(at)}`,
      ]);
    });
  });
};

presil.parts = (of) => {
  const stalls = d3.entries(of.stall).map((e) => ({ cause: e.key, cycles: e.value }));
  stalls.sort((a, b) => presil.isWait(a.cause) - presil.isWait(b.cause) || b.cycles - a.cycles);
  const idle = of.idle ? [{ cause: "idle", cycles: of.idle }] : [];
  return [{ cause: "busy", cycles: of.busy }, ...stalls, ...idle].filter((p) => p.cycles);
};

presil.engines = (article, record) => {
  const bars = [];
  for (const { key, value } of d3.entries(record.engines)) {
    if (!value) continue;
    bars.push({ name: key, parts: presil.parts(value) });
    (value.channels || []).forEach((c, i) => bars.push({ name: `dma${i}`, parts: presil.parts(c) }));
  }
  presil.stacks(article.querySelector('[data-plot="engines"]'), bars);
};

presil.layers = (article, record) => {
  const bars = record.layers.filter((l) => l.cycles || l.commands)
    .map((l) => ({ name: `${l.index} ${l.name}`, parts: presil.parts(l) }));
  presil.stacks(article.querySelector('[data-plot="layers"]'), bars);
};

presil.kernels = (article, record) => {
  const plot = article.querySelector('[data-plot="kernels"]');
  if (plot) presil.stacks(plot, record.kernels.map((k) => ({ name: k.name, parts: presil.parts(k) })));
};

presil.roofline = (article, record) => {
  const plot = article.querySelector('[data-plot="roofline"]'), config = record.soc.config;
  const peak = config["dla.macs_k"] * config["dla.macs_c"];
  const bandwidth = config["dram.peak_mb_per_s"] / record.soc.clock_mhz;
  const points = record.layers.filter((l) => l.macs && l.cycles).map((l) => {
    const bytes = l.read_bytes + l.written_bytes;
    return { layer: l, rate: l.macs / l.cycles, intensity: bytes ? l.macs / bytes : Infinity };
  });
  if (!points.length || !(peak > 0) || !(bandwidth > 0)) {
    plot.textContent = "No layer with MACs, or a SoC whose record lacks array or bandwidth.";
    return;
  }
  const finite = points.map((p) => p.intensity).filter(isFinite);
  const knee = peak / bandwidth;
  const low = Math.min(d3.min(finite) || knee, knee) / 2;
  const high = Math.max(d3.max(finite) || knee, knee) * 4;
  const slowest = Math.min(d3.min(points, (p) => p.rate), low * bandwidth) / 1.5;
  const engines = [...new Set(points.map((p) => p.layer.engine))];
  presil.legend(plot, engines.map((e) => [e, presil.engineColour(e)]));
  const HEIGHT = 360, svg = d3.select(plot).append("svg").attr("height", HEIGHT);
  presil.fitted(plot, (width) => {
    const x = d3.scale.log().domain([low, high]).range([46, width - 24]);
    const y = d3.scale.log().domain([slowest, peak * 1.6]).range([HEIGHT - 44, 8]);
    const area = d3.scale.sqrt().domain([0, d3.max(points, (p) => p.layer.cycles)]).range([3, 16]);
    const plain = (v) => d3.format(v < 1 ? ".1g" : ",.0f")(v);
    const marked = [1, 2, 5].flatMap((m) => d3.range(-6, 9).map((e) => m * Math.pow(10, e)));
    const within = (scale) => {
      const [from, to] = scale.domain();
      return marked.filter((v) => from <= v && v <= to);
    };
    svg.selectAll("*").remove();
    svg.append("g").attr("transform", `translate(0,${HEIGHT - 44})`)
      .call(d3.svg.axis().scale(x).orient("bottom").tickValues(within(x)).tickFormat(plain).tickSize(-HEIGHT + 52));
    svg.append("g").attr("transform", "translate(46,0)")
      .call(d3.svg.axis().scale(y).orient("left").tickValues(within(y)).tickFormat(plain).tickSize(-width + 70));
    svg.append("text").attr({ x: width - 24, y: HEIGHT - 8, "text-anchor": "end" })
      .text("MACs for each byte of DRAM traffic");
    svg.append("text").attr({ x: 52, y: 20 }).text("MACs a cycle");
    const corner = Math.min(Math.max(knee, low), high);
    svg.append("path").attr("class", "roof").attr("d", d3.svg.line()([
      [x(low), y(Math.max(low * bandwidth, slowest))], [x(corner), y(peak)], [x(high), y(peak)],
    ]));
    svg.append("text").attr({ class: "strong", x: width - 28, y: y(peak) - 6, "text-anchor": "end" })
      .text(`${presil.number(peak)} MACs a cycle`);
    const sorted = points.slice().sort((a, b) => b.layer.cycles - a.layer.cycles);
    const marks = svg.selectAll("circle").data(sorted).enter().append("circle").attr({
      cx: (p) => (isFinite(p.intensity) ? x(p.intensity) : width - 24),
      cy: (p) => y(p.rate), r: (p) => area(p.layer.cycles),
    }).style("fill", (p) => presil.engineColour(p.layer.engine));
    presil.tips(marks, (p) => [
      p.layer.name,
      p.layer.op,
      `${p.rate.toFixed(1)} MACs a cycle, ${((100 * p.rate) / peak).toFixed(1)} % of the array`,
      isFinite(p.intensity) ? `${p.intensity.toFixed(1)} MACs a byte` : "no DRAM traffic",
      `${presil.number(p.layer.cycles)} cycles, bound by ${p.layer.bound}`,
    ]);
  });
};
