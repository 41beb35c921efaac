"use strict";
// The palette of palette.py, which came with the page: one colour for each name. Waits have stripes.
presil.palette = JSON.parse(document.getElementById("palette").textContent);
presil.colour = (name) => presil.palette[name] || presil.palette.other;
presil.isWait = (cause) => cause.startsWith("wait");
presil.cause = (name) => name.replace(/_/g, " ");

// What an SVG mark of a cause is filled with; a wait's stripes lie as its kind says.
presil.fill = (() => {
  const ANGLES = { wait: 45, wait_in: 135, wait_weights: 0, wait_out: 90 };
  const made = d3.set();
  let place = null;
  return (cause) => {
    if (!presil.isWait(cause)) return presil.colour(cause);
    const id = `stripes-${cause.replace(/\W/g, "-")}`;
    if (!made.has(id)) {
      made.add(id);
      place = place || d3.select(document.body).append("svg").attr({ width: 0, height: 0, class: "stripes" });
      const pattern = place.append("pattern").attr({
        id, width: 6, height: 6, patternUnits: "userSpaceOnUse",
        patternTransform: `rotate(${ANGLES[cause.split(":")[0]] || 45})`,
      });
      pattern.append("rect").attr({ width: 6, height: 6, fill: presil.colour(cause) });
      pattern.append("rect").attr({ width: 2, height: 6, fill: "#fff", "fill-opacity": 0.6 });
    }
    return `url(#${id})`;
  };
})();

presil.swatch = (cause) => {
  const swatch = document.createElement("i"), colour = presil.colour(cause);
  swatch.style.background = presil.isWait(cause)
    ? `repeating-linear-gradient(135deg, ${colour} 0 3px, color-mix(in srgb, ${colour} 40%, #fff) 3px 5px)`
    : colour;
  return swatch;
};

// entries: [text, a colour or a swatch].
presil.legend = (plot, entries) => {
  const legend = document.createElement("div");
  legend.className = "legend";
  for (const [text, look] of entries) {
    const item = document.createElement("span");
    let swatch = look;
    if (typeof look === "string") {
      swatch = document.createElement("i");
      swatch.style.background = look;
    }
    item.append(swatch, text);
    legend.append(item);
  }
  plot.append(legend);
};
