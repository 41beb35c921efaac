"use strict";
// Layers whose time follows the data: a point is a sample of a run.
presil.samplesOf = (records) => {
  const series = d3.map(), colours = presil.palette.runs;
  for (const record of records) {
    for (const layer of record.data_time || []) {
      const network = record.network.file.split("/").pop();
      const name = `${layer.name} on ${layer.engine}, ${network} on ${record.soc.label || record.soc.name}`;
      if (!series.has(name)) series.set(name, { name, colour: colours[series.size() % colours.length], points: [] });
      layer.samples.forEach((sample, index) =>
        series.get(name).points.push({ ...sample, score: layer.score, of: series.get(name), index }));
    }
  }
  return series.values();
};

// The axis for these numbers: from 0 on where they are close, else in logarithms, where 0 stands apart.
presil.axisOf = (values, title) => {
  const NONE = 0.6, SPAN = 20, [low, high] = d3.extent(values);
  if (high <= SPAN * Math.max(low, 1)) {
    const scale = d3.scale.linear().domain([0, high * 1.12 || 1]);
    const ticks = (room) => scale.ticks(Math.max(2, room / 70)).filter(Number.isInteger);
    return { scale, title, at: (v) => scale(v), ticks, text: presil.number };
  }
  const scale = d3.scale.log().domain([low < 1 ? NONE / 1.3 : low / 1.4, high * 1.4]);
  const steps = high > 1000 * Math.max(low, 1) ? [1] : [1, 2, 5];
  const ticks = d3.range(0, 12).flatMap((e) => steps.map((m) => m * Math.pow(10, e)))
    .filter((v) => scale.domain()[0] <= v && v <= scale.domain()[1]);
  return {
    scale,
    title: `${title} (logarithmic)`,
    at: (v) => scale(Math.max(v, NONE)),
    ticks: () => (low < 1 ? [NONE, ...ticks] : ticks),
    text: (v) => (v === NONE ? "0" : presil.number(v)),
  };
};

// x: {of(point), label, limits}. Cycles are upwards; what is not known is not drawn. Over the limits
// a line joins what became of one sample.
presil.scatter = (plot, series, x) => {
  const HEIGHT = 320, TOP = 26, BOTTOM = 48, LEFT = 76, RIGHT = 24, FEW = 12;
  const known = (s) => s.points.filter((p) => x.of(p) !== null && p.cycles > 0);
  const points = series.flatMap(known);
  if (!points.length) return;
  presil.legend(plot, series.map((s) => [s.name, s.colour]));
  const svg = d3.select(plot).append("svg").attr("height", HEIGHT);
  presil.fitted(plot, (width) => {
    const across = presil.axisOf(points.map(x.of), x.label), up = presil.axisOf(points.map((p) => p.cycles), "cycles of the layer");
    if (x.limits) Object.assign(across, { ticks: (room) => across.scale.ticks(Math.max(2, room / 90)), text: d3.format("g") });
    across.scale.range([LEFT, width - RIGHT]);
    up.scale.range([HEIGHT - BOTTOM, TOP]);
    const draw = (axis, orient, room, shift, size) => svg.append("g").attr("transform", shift).call(
      d3.svg.axis().scale(axis.scale).orient(orient).tickValues(axis.ticks(room)).tickFormat(axis.text).tickSize(size));
    svg.selectAll("*").remove();
    draw(across, "bottom", width, `translate(0,${HEIGHT - BOTTOM})`, TOP + BOTTOM - HEIGHT);
    draw(up, "left", HEIGHT, `translate(${LEFT},0)`, LEFT + RIGHT - width);
    svg.append("text").attr({ x: width - RIGHT, y: HEIGHT - 8, "text-anchor": "end" }).text(across.title);
    svg.append("text").attr({ x: LEFT, y: 14 }).text(up.title);
    const place = (p) => [across.at(x.of(p)), up.at(p.cycles)];
    for (const s of x.limits ? series : []) {
      for (const { values } of d3.nest().key((p) => p.index).entries(known(s))) {
        const line = values.sort((a, b) => x.of(a) - x.of(b)).map(place);
        svg.append("path").attr({ class: "joins", d: `M${line.join("L")}` }).style("stroke", s.colour);
      }
    }
    const marks = svg.selectAll("circle").data(points).enter().append("circle")
      .attr({ cx: (p) => place(p)[0], cy: (p) => place(p)[1], r: 5 })
      .style("fill", (p) => p.of.colour);
    if (points.length <= FEW)
      svg.selectAll(".cut").data(points).enter().append("text")
        .attr({ class: "cut", x: (p) => place(p)[0], y: (p) => place(p)[1] - 10, "text-anchor": "middle" })
        .text((p) => (x.limits && p.candidates !== null ? `${presil.number(p.candidates)} candidates` : presil.number(p.cycles)));
    presil.tips(marks, (p) => [
      p.of.name,
      `sample ${p.index}, score limit ${+p.score.toPrecision(3)}`,
      p.candidates === null ? "" : `${presil.number(p.candidates)} candidates`,
      p.stayed === null ? "" : `${presil.number(p.stayed)} kept`,
      `${presil.number(p.cycles)} cycles`,
    ]);
  });
};

// Of one run, or of all runs of a page: over the candidates, and, where they differ, the limits.
presil.dataTime = (place, records) => {
  const series = presil.samplesOf(records);
  const draw = (name, shown, x) => {
    for (const plot of place.querySelectorAll(`[data-plot="${name}"]`)) presil.scatter(plot, shown, x);
  };
  draw("candidates", series, { of: (p) => p.candidates, label: "candidates" });
  // A layer with one limit says nothing over limits.
  const swept = series.filter((s) => d3.set(s.points.map((p) => p.score)).size() > 1);
  draw("limits", swept, { of: (p) => p.score, label: "score limit", limits: true });
};
