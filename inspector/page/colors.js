// The colours of the style, for the canvas.
const colors = (() => {
  const probe = el("i", { hidden: true });
  let known = {};
  return {
    get(name) {
      if (!probe.isConnected) document.body.append(probe);
      if (!known[name]) {
        probe.style.color = `var(--${name})`;
        known[name] = getComputedStyle(probe).color;
      }
      return known[name];
    },
    forget() { known = {}; },
  };
})();
