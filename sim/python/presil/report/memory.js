"use strict";
// What the memories do over the time that the timeline shows: the DRAM's bus, the SRAM's bytes.
presil.margins = { LABEL: 48, EDGE: 16 };
presil.kib = (bytes) => `${d3.format(bytes < 10240 ? ",.1f" : ",.0f")(bytes / 1024)} KiB`;

// Bytes a cycle over the DRAM's bus, as the simulation counted them bin by bin.
presil.traffic = (article, record, time) => {
  const plot = article.querySelector('[data-plot="bandwidth"]');
  if (!plot) return () => {};
  const { bin_cycles: bin, bytes } = record.memory.dram.traffic;
  const peak = record.soc.config["dram.peak_mb_per_s"] / record.soc.clock_mhz;
  const HEIGHT = 120, { LABEL, EDGE } = presil.margins;
  const svg = d3.select(plot).append("svg").attr("height", HEIGHT);
  const up = d3.scale.linear().domain([0, peak * 1.1]).range([HEIGHT - 8, 6]);
  // Bytes from cycle 0 to the end of each bin; between them the pace is even.
  const sums = [0];
  for (const count of bytes) sums.push(sums[sums.length - 1] + count);
  const until = (cycle) => {
    const at = Math.min(Math.max(cycle / bin, 0), bytes.length), i = Math.floor(at);
    return sums[i] + (i < bytes.length ? (at - i) * bytes[i] : 0);
  };
  const rate = (from, to) => (until(to) - until(from)) / (to - from);
  let shown = 0;
  const span = (event) => {
    const x = event.clientX - svg.node().getBoundingClientRect().left;
    const cycle = time.invert(x), step = Math.max(bin, time.invert(shown) - time.invert(0));
    const from = Math.floor(cycle / step) * step;
    return [from, from + step];
  };
  svg.node().addEventListener("pointermove", (event) => {
    const [from, to] = span(event), now = rate(from, to);
    presil.tip.show(event, [
      `cycles ${presil.number(from)} to ${presil.number(to)}`,
      `${now.toFixed(1)} bytes a cycle, ${((100 * now) / peak).toFixed(0)} % of the peak`,
    ]);
  });
  svg.node().addEventListener("pointerleave", presil.tip.hide);
  return (width) => {
    const [from, to] = time.domain(), room = width - EDGE - LABEL;
    shown = 2; // pixels of a step
    const steps = Math.max(1, Math.min(Math.floor(room / shown), Math.ceil((to - from) / bin)));
    const step = (to - from) / steps;
    const rates = d3.range(steps).map((i) => rate(from + i * step, from + (i + 1) * step));
    const area = d3.svg.area().interpolate("step-after")
      .x((_, i) => time(from + i * step)).y0(up(0)).y1((value) => up(value));
    svg.selectAll("*").remove();
    svg.append("path").attr({ class: "area", "data-most": d3.max(rates) })
      .attr("d", area(rates.concat(rates[steps - 1])));
    svg.append("line").attr({ class: "peak", "data-peak": peak, x1: LABEL, x2: width - EDGE, y1: up(peak), y2: up(peak) });
    const left = d3.svg.axis().scale(up).orient("left").ticks(4).tickSize(3);
    svg.append("g").attr("transform", `translate(${LABEL},0)`).call(left);
  };
};

// The SRAM as a map: a buffer is a box, as wide as it lives and as high as it is large.
presil.sram = (article, record, time) => {
  const plot = article.querySelector('[data-plot="sram"]');
  if (!plot) return () => {};
  const buffers = record.sram.buffers.map((values) => {
    const buffer = {};
    record.sram.columns.forEach((name, i) => (buffer[name] = values[i]));
    return buffer;
  });
  const HEIGHT = 240, { LABEL, EDGE } = presil.margins;
  const svg = d3.select(plot).append("svg").attr("height", HEIGHT);
  const top = d3.max(buffers, (b) => b.offset + b.bytes) || 1;
  const up = d3.scale.linear().domain([0, top]).range([HEIGHT - 8, 8]);
  const step = Math.pow(2, Math.ceil(Math.log2(top / 5)));
  const clip = `sram-${article.id}`;
  svg.append("clipPath").attr("id", clip).append("rect").attr({ x: LABEL, y: 0, height: HEIGHT });
  return (width) => {
    const [from, to] = time.domain();
    svg.select("clipPath rect").attr("width", Math.max(0, width - EDGE - LABEL));
    svg.selectAll("g").remove();
    const left = d3.svg.axis().scale(up).orient("left").tickValues(d3.range(0, top + 1, step))
      .tickFormat((bytes) => presil.number(bytes / 1024)).tickSize(-(width - EDGE - LABEL));
    svg.append("g").attr("transform", `translate(${LABEL},0)`).call(left);
    const seen = buffers.filter((b) => b.end > from && b.start < to);
    const boxes = svg.append("g").attr("clip-path", `url(#${clip})`).selectAll("rect").data(seen)
      .enter().append("rect").attr({
        x: (b) => time(b.start), width: (b) => Math.max(0.5, time(b.end) - time(b.start)),
        y: (b) => up(b.offset + b.bytes), height: (b) => Math.max(0.5, up(b.offset) - up(b.offset + b.bytes)),
        class: (b) => (b.what.startsWith("weights") ? "buffer constants" : "buffer"),
      }).style("fill", (b) => presil.layerColour(b.layer));
    presil.tips(boxes, (b) => [
      b.what,
      `${presil.kib(b.bytes)} at ${presil.kib(b.offset)}`,
      `cycles ${presil.number(b.start)} to ${presil.number(b.end)}`,
    ]);
  };
};
