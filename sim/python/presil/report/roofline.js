"use strict";
// MACs a cycle over MACs a byte, under what array and DRAM allow.
presil.roofline = (article, record) => {
  const plot = article.querySelector('[data-plot="roofline"]'), config = record.soc.config;
  const peak = (config["dla.units"] || 1) * config["dla.macs_k"] * config["dla.macs_c"];
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
  presil.legend(plot, engines.map((e) => [e, presil.colour(e)]));
  const HEIGHT = 360, svg = d3.select(plot).append("svg").attr("height", HEIGHT);
  presil.fitted(plot, (width) => {
    const x = d3.scale.log().domain([low, high]).range([46, width - 24]);
    const y = d3.scale.log().domain([slowest, peak * 1.6]).range([HEIGHT - 44, 8]);
    const area = d3.scale.sqrt().domain([0, d3.max(points, (p) => p.layer.cycles)]).range([3, 16]);
    const plain = (v) => d3.format(v < 1 ? ".1g" : ",.0f")(v);
    const marked = [1, 2, 5].flatMap((m) => d3.range(-6, 9).map((e) => m * Math.pow(10, e)));
    // Of 1, 2, 5, 10, ... all that fit side by side; else powers of ten, of these every n-th.
    const within = (scale, room) => {
      const [from, to] = scale.domain(), inside = marked.filter((v) => from <= v && v <= to);
      const pixels = Math.abs(scale.range()[1] - scale.range()[0]);
      const fits = (some) => some.length * room <= pixels;
      if (fits(inside)) return inside;
      const tens = inside.filter((v) => /^1(e|$|0*$)|^0\.0*1$/.test(String(+v.toPrecision(3))));
      return tens.filter((_, i) => i % Math.ceil((tens.length * room) / pixels) === 0);
    };
    svg.selectAll("*").remove();
    svg.append("g").attr("transform", `translate(0,${HEIGHT - 44})`)
      .call(d3.svg.axis().scale(x).orient("bottom").tickValues(within(x, 44)).tickFormat(plain).tickSize(-HEIGHT + 52));
    svg.append("g").attr("transform", "translate(46,0)")
      .call(d3.svg.axis().scale(y).orient("left").tickValues(within(y, 18)).tickFormat(plain).tickSize(-width + 70));
    svg.append("text").attr({ x: width - 24, y: HEIGHT - 8, "text-anchor": "end" })
      .text("MACs for each byte of DRAM traffic");
    svg.append("text").attr({ x: 52, y: 20 }).text("MACs a cycle");
    const corner = Math.min(Math.max(knee, low), high);
    svg.append("path").attr("class", "roof").attr("d", d3.svg.line()([
      [x(low), y(Math.max(low * bandwidth, slowest))], [x(corner), y(peak)], [x(high), y(peak)],
    ]));
    const sorted = points.slice().sort((a, b) => b.layer.cycles - a.layer.cycles);
    const marks = svg.selectAll("circle").data(sorted).enter().append("circle").attr({
      cx: (p) => (isFinite(p.intensity) ? x(p.intensity) : width - 24),
      cy: (p) => y(p.rate), r: (p) => area(p.layer.cycles),
    }).style("fill", (p) => presil.colour(p.layer.engine));
    svg.append("text").attr({ class: "cut", x: width - 28, y: y(peak) - 6, "text-anchor": "end" })
      .text(`${presil.number(peak)} MACs a cycle`);
    presil.tips(marks, (p) => [
      p.layer.name,
      p.layer.op,
      `${p.rate.toFixed(1)} MACs a cycle, ${((100 * p.rate) / peak).toFixed(1)} % of the array`,
      isFinite(p.intensity) ? `${p.intensity.toFixed(1)} MACs a byte` : "no DRAM traffic",
      `${presil.number(p.layer.cycles)} cycles, bound by ${p.layer.bound}`,
    ]);
  });
};
