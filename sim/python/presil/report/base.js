"use strict";
// What the plots share: numbers for people, colours, the tip, and drawing again when widths change.
const presil = {
  number: d3.format(",.0f"),
  short: d3.format("s"), // for ticks, which are round
  layerColour: (index) => `hsl(${(index * 137.5) % 360} 48% ${presil.css("--lightness")})`,
  css: (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim(),
  // As many letters of a name as fit in so many pixels: its begin, and more of its end, by
  // which names of layers differ.
  shortened: (name, room) => {
    const letters = Math.max(6, Math.floor(room / 6.8));
    if (name.length <= letters) return name;
    const begin = Math.ceil((letters - 1) * 0.35);
    return `${name.slice(0, begin)}…${name.slice(name.length - (letters - 1 - begin))}`;
  },
};

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
