"use strict";
// The engines over time, on a canvas (a network may have thousands of commands). What memories do
// stands below on the same axis (memory.js). Only what is in view is drawn.
presil.timeline = (article, record) => {
  const plot = article.querySelector('[data-plot="timeline"]');
  if (!plot) return null;
  const said = article.querySelector(".said");
  const columns = record.timeline.columns;
  const rows = record.timeline.commands.map((values) => {
    const row = {};
    columns.forEach((name, i) => (row[name] = values[i]));
    row.waits = d3.sum(d3.entries(row.stall), (e) => (presil.isWait(e.key) ? e.value : 0));
    row.work = row.start + row.waits;
    return row;
  });
  const order = ["dla", "dsp", "host"];
  const rank = (queue) => (order.indexOf(queue) + 9) % 9;
  const queues = [...new Set(rows.map((r) => r.queue))].sort(
    (a, b) => rank(a) - rank(b) || d3.ascending(a, b),
  );
  const end = d3.max(rows, (r) => r.end) || 1;
  const HEIGHT = 30, AXIS = 24, { LABEL, EDGE } = presil.margins;
  const time = d3.scale.linear().domain([0, end]);
  const canvas = document.createElement("canvas");
  const axis = d3.select(plot).append("svg").attr("height", AXIS);
  plot.append(canvas);
  const context = canvas.getContext("2d");
  const below = [presil.traffic(article, record, time), presil.sram(article, record, time)];
  let width = 0;

  const y = (queue) => queues.indexOf(queue) * HEIGHT;
  const axisOf = (group) => {
    const ticks = Math.max(2, Math.floor(width / 110));
    group.call(d3.svg.axis().scale(time).orient("top").ticks(ticks).tickFormat(presil.short).tickSize(4));
  };

  const draw = () => {
    const density = devicePixelRatio || 1, height = queues.length * HEIGHT;
    canvas.width = width * density;
    canvas.height = height * density;
    canvas.style.height = `${height}px`;
    context.setTransform(density, 0, 0, density, 0, 0);
    const wait = presil.css("--wait"), line = presil.css("--line");
    const [from, to] = time.domain();
    const drawn = new Map(); // per queue: last pixel with something in it
    context.save();
    context.beginPath();
    context.rect(LABEL, 0, width - EDGE - LABEL, height);
    context.clip();
    for (const row of rows) {
      if (row.end < from || row.start > to) continue;
      const top = y(row.queue) + 4, a = time(row.start), b = time(row.work), c = time(row.end);
      if (c - a < 0.4 && drawn.get(row.queue) === Math.floor(c)) continue;
      drawn.set(row.queue, Math.floor(c));
      context.fillStyle = wait;
      if (row.waits) context.fillRect(a, top + 8, b - a, HEIGHT - 24);
      context.fillStyle = presil.layerColour(row.layer);
      context.fillRect(b, top, Math.max(c - b - (c - b > 3 ? 0.7 : 0), 0.6), HEIGHT - 8);
      if (c - b > 46) label(row, Math.max(b, LABEL), Math.min(c, width - EDGE), top);
    }
    context.restore();
    context.fillStyle = presil.css("--ink");
    context.font = "12px system-ui, 'DejaVu Sans', sans-serif";
    context.textBaseline = "middle";
    context.strokeStyle = line;
    for (const queue of queues) {
      context.fillText(queue, 0, y(queue) + HEIGHT / 2);
      context.strokeRect(LABEL, Math.round(y(queue) + HEIGHT) - 0.5, width - EDGE - LABEL, 0);
    }
    axis.selectAll("g").remove();
    axis.append("g").attr("transform", `translate(0,${AXIS - 1})`).call(axisOf);
    said.textContent = `cycles ${presil.number(from)} to ${presil.number(to)}`;
    for (const draw of below) draw(width);
  };

  // What belongs to no layer: a program that the DSP gets before its first one, padding of a queue.
  const layerOf = (row) => record.layers[row.layer] || { name: "for all layers", op: "command" };
  const label = (row, left, right, top) => {
    const room = right - left - 10, name = layerOf(row).name;
    if (room < 30) return;
    context.fillStyle = "#fff";
    context.font = "11px system-ui, 'DejaVu Sans', sans-serif";
    context.textBaseline = "middle";
    const letters = Math.floor((room / context.measureText(name).width) * name.length);
    const text = letters >= name.length ? name : `${name.slice(0, Math.max(letters - 1, 1))}…`;
    context.fillText(text, left + 5, top + (HEIGHT - 8) / 2 + 1);
  };

  const view = (from, to) => {
    const span = Math.min(Math.max(to - from, Math.min(end, 50)), end);
    const begin = Math.min(Math.max((from + to - span) / 2, 0), end - span);
    time.domain([begin, begin + span]);
    draw();
  };
  const zoom = (factor, at) => {
    const [from, to] = time.domain();
    const middle = at === undefined ? (from + to) / 2 : at;
    view(middle - (middle - from) / factor, middle + (to - middle) / factor);
  };
  const position = (event) => event.clientX - canvas.getBoundingClientRect().left;
  const commandAt = (event) => {
    const box = canvas.getBoundingClientRect(), cycle = time.invert(event.clientX - box.left);
    const queue = queues[Math.floor((event.clientY - box.top) / HEIGHT)];
    const near = time.invert(2) - time.invert(0);
    return rows.find((r) => r.queue === queue && r.start - near <= cycle && cycle <= r.end + near);
  };
  const tell = (event) => {
    const row = commandAt(event);
    if (!row) return presil.tip.hide();
    const layer = layerOf(row);
    const causes = d3.entries(row.stall).sort((a, b) => b.value - a.value);
    presil.tip.show(event, [
      `${layer.name}, tile ${row.tile}`,
      `${layer.op} on ${row.queue}`,
      `cycles ${presil.number(row.start)} to ${presil.number(row.end)}`,
      `busy ${presil.number(row.busy)}`,
      ...causes.map((c) => `${presil.cause(c.key)} ${presil.number(c.value)}`),
      row.dram_bytes && `DRAM ${presil.number(row.dram_bytes)} bytes`,
    ]);
  };
  let grabbed = null;
  canvas.addEventListener("pointerdown", (event) => {
    grabbed = { x: position(event), domain: time.domain() };
    canvas.setPointerCapture(event.pointerId);
    tell(event);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!grabbed) return tell(event);
    const [from, to] = grabbed.domain;
    const moved = ((position(event) - grabbed.x) * (to - from)) / (width - EDGE - LABEL);
    if (Math.abs(position(event) - grabbed.x) > 3) {
      presil.tip.hide();
      view(from - moved, to - moved);
    }
  });
  for (const name of ["pointerup", "pointercancel"])
    canvas.addEventListener(name, () => (grabbed = null));
  canvas.addEventListener("pointerleave", presil.tip.hide);
  canvas.addEventListener("dblclick", (event) => zoom(2.5, time.invert(position(event))));
  canvas.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey) return; // the page scrolls
      event.preventDefault();
      zoom(Math.pow(1.004, -event.deltaY), time.invert(position(event)));
    },
    { passive: false },
  );
  for (const button of article.querySelectorAll("[data-zoom]"))
    button.addEventListener("click", () => {
      const factor = Number(button.dataset.zoom);
      if (factor) zoom(factor);
      else view(0, end);
    });
  presil.fitted(plot, (now) => {
    width = now;
    time.range([LABEL, width - EDGE]);
    draw();
  });
  return {
    show(layer) {
      const own = rows.filter((r) => r.layer === layer);
      if (!own.length) return;
      const from = d3.min(own, (r) => r.work), to = d3.max(own, (r) => r.end);
      view(from - (to - from) * 0.1, to + (to - from) * 0.1);
      plot.scrollIntoView({ behavior: "smooth", block: "center" });
    },
  };
};
