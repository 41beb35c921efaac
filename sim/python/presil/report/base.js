"use strict";
// What the plots share: numbers for people, colours, the tip, and drawing again when widths change.
const presil = {
  number: d3.format(",.0f"),
  short: d3.format("s"), // for ticks, which are round
  cause: (name) => name.replace(/_/g, " "),
  isWait: (cause) => cause.startsWith("wait"),
  layerColour: (index) => `hsl(${(index * 137.5) % 360} 48% ${presil.css("--lightness")})`,
  css: (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim(),
  engineColour: (name) =>
    ({ dla: "#2f7de1", host: "#d9902f", dsp: "#2e9e6b" })[name] || "#9a5bd0",
};

// Colours of causes: busy is the engine at work, idle and waits are quiet, the rest is told apart.
presil.causeColour = (() => {
  const fixed = { busy: "#2f7de1", idle: "transparent" };
  const stalls = d3.scale
    .ordinal()
    .range(["#d9902f", "#c2506b", "#2e9e6b", "#9a5bd0", "#7a8b2e", "#c9673a", "#4b9fb5"]);
  const waits = d3.scale.ordinal().range(["#8d99a6", "#b0a48f", "#a49bb3", "#93aba0", "#b39b9b"]);
  return (cause) => fixed[cause] || (presil.isWait(cause) ? waits(cause) : stalls(cause));
})();

presil.tip = (() => {
  const tip = document.getElementById("tip");
  return {
    show(event, lines) {
      tip.textContent = lines.filter(Boolean).join("\n");
      tip.hidden = false;
      const { width, height } = tip.getBoundingClientRect();
      const x = Math.min(event.clientX + 14, innerWidth - width - 8);
      const y = event.clientY + 18 + height > innerHeight ? event.clientY - height - 12 : event.clientY + 18;
      tip.style.left = `${Math.max(8, x)}px`;
      tip.style.top = `${Math.max(8, y)}px`;
    },
    hide() {
      tip.hidden = true;
    },
  };
})();
addEventListener("scroll", presil.tip.hide, { passive: true });

// Calls draw(width) now and whenever the element's width, or light and dark, change.
presil.fitted = (element, draw) => {
  let last = 0;
  const again = () => {
    last = Math.floor(element.clientWidth);
    if (last > 0) draw(last);
  };
  again();
  new ResizeObserver(([entry]) => {
    if (Math.floor(entry.contentRect.width) === last) return;
    requestAnimationFrame(again); // drawing changes heights, which must wait for the next round
  }).observe(element);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
};

// A tip for every drawn mark; lines(datum) says what stands in it.
presil.tips = (selection, lines) =>
  selection.each(function (datum) {
    const show = (event) => presil.tip.show(event, lines(datum));
    this.addEventListener("pointermove", show);
    this.addEventListener("pointerdown", show);
    this.addEventListener("pointerleave", presil.tip.hide);
  });

presil.legend = (plot, entries) => {
  const legend = document.createElement("div");
  legend.className = "legend";
  for (const [text, colour] of entries) {
    const item = document.createElement("span");
    const swatch = document.createElement("i");
    swatch.style.background = colour;
    item.append(swatch, text);
    legend.append(item);
  }
  plot.append(legend);
};
