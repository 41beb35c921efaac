"use strict";
// Layers whose time follows the data: a point is a sample of a run.
presil.samplesOf = (records) => {
  const series = d3.map(), colours = ["#2e9e6b", "#2f7de1", "#d9902f", "#9a5bd0", "#c2506b", "#4b9fb5"];
  for (const record of records) {
    for (const layer of record.data_time || []) {
      const network = record.network.file.split("/").pop();
      const name = `${layer.name} on ${layer.engine}, ${network} on ${record.soc.name}`;
      if (!series.has(name)) series.set(name, { name, colour: colours[series.size() % 6], points: [] });
      layer.samples.forEach((sample, index) =>
        series.get(name).points.push({ ...sample, score: layer.score, of: series.get(name), index }));
    }
  }
  return series.values();
};

presil.logTicks = (scale) => {
  const [low, high] = scale.domain(), wide = high / low > 1000;
  const steps = wide ? [1] : [1, 2, 5];
  return d3.range(-1, 12).flatMap((e) => steps.map((m) => m * Math.pow(10, e)))
    .filter((v) => low <= v && v <= high);
};

// x: {of(point), label, log}. Cycles are upwards, in logarithms; what is not known is not drawn.
presil.scatter = (plot, series, x) => {
  const NONE = 0.6, HEIGHT = 300; // where 0 stands on an axis of logarithms
  const at = (p) => (x.log ? Math.max(x.of(p), NONE) : x.of(p));
  const points = series.flatMap((s) => s.points).filter((p) => x.of(p) !== null && p.cycles > 0);
  if (!points.length) return;
  presil.legend(plot, series.map((s) => [s.name, s.colour]));
  const svg = d3.select(plot).append("svg").attr("height", HEIGHT);
  presil.fitted(plot, (width) => {
    const [low, high] = d3.extent(points, at);
    const margin = (high - low || 0.1) * 0.06;
    const across = (x.log ? d3.scale.log().domain([low / 1.3, high * 1.3])
      : d3.scale.linear().domain([low - margin, high + margin])).range([64, width - 20]);
    const [least, most] = d3.extent(points, (p) => p.cycles);
    const y = d3.scale.log().domain([least / 1.4, most * 1.4]).range([HEIGHT - 44, 10]);
    svg.selectAll("*").remove();
    const axis = d3.svg.axis().scale(across).orient("bottom").tickSize(-HEIGHT + 54);
    if (x.log)
      axis.tickValues([...(low === NONE ? [NONE] : []), ...presil.logTicks(across).filter((v) => v >= 1)])
        .tickFormat((v) => (v === NONE ? "0" : presil.number(v)));
    else axis.ticks(Math.max(2, Math.floor(width / 90)));
    svg.append("g").attr("transform", `translate(0,${HEIGHT - 44})`).call(axis);
    svg.append("g").attr("transform", "translate(64,0)").call(
      d3.svg.axis().scale(y).orient("left").tickValues(presil.logTicks(y)).tickFormat(presil.number)
        .tickSize(-width + 84));
    svg.append("text").attr({ x: width - 20, y: HEIGHT - 8, "text-anchor": "end" }).text(x.label);
    svg.append("text").attr({ class: "cut", x: 70, y: 22 }).text("cycles");
    const marks = svg.selectAll("circle").data(points).enter().append("circle")
      .attr({ cx: (p) => across(at(p)), cy: (p) => y(p.cycles), r: 5 })
      .style("fill", (p) => p.of.colour);
    presil.tips(marks, (p) => [
      p.of.name,
      `sample ${p.index}, score limit ${p.score.toPrecision(3)}`,
      p.candidates === null ? "" : `${presil.number(p.candidates)} candidates`,
      p.stayed === null ? "" : `${presil.number(p.stayed)} stayed`,
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
  draw("candidates", series, { of: (p) => p.candidates, label: "candidates", log: true });
  // A layer with one limit says nothing over limits.
  const swept = series.filter((s) => d3.set(s.points.map((p) => p.score)).size() > 1);
  draw("limits", swept, { of: (p) => p.score, label: "score limit", log: false });
};
