// The timeline: a lane for each call that is in flight beside others.
function timeline(select) {
  const canvas = el("canvas", { tabindex: 0, role: "img" });
  const hint = el("div", { class: "hint", hidden: true });
  const view = {
    lanes: [], pauses: [], from: 0, to: 1, end: 1, height: 20, selected: null, hovered: null, visible: null,
  };
  let wanted = 0, drag = null, isFitted = true;

  function show(run, keep) {
    const known = { from: view.from, to: view.to };
    view.lanes = [];
    for (const call of run.calls) (view.lanes[call.lane] = view.lanes[call.lane] || []).push(call);
    view.lanes = Array.from(view.lanes, (lane) => (lane || []).sort((one, other) => one.started_ms - other.started_ms));
    view.height = Math.max(5, Math.min(20, Math.floor(240 / Math.max(1, view.lanes.length))));
    const began = Date.parse(run.began);
    const pauses = run.pauses.map(({ kind, time }) => ({ kind, at: Date.parse(time) - began }));
    view.pauses = pauses.filter(({ at }) => at >= 0);
    const last = run.calls.reduce((end, call) => Math.max(end, call.started_ms + call.duration_ms), 0);
    view.end = Math.max(1e-3, last, Number(run.usage.wall_ms) || 0, ...view.pauses.map(({ at }) => at));
    view.hovered = null;
    hint.hidden = true;
    canvas.setAttribute("aria-label", `Timeline: ${count(run.calls.length)} calls in ${milliseconds(view.end)}, up to `
      + `${count(view.lanes.length)} at the same time. The table has the same calls.`);
    if (keep && !isFitted) [view.from, view.to] = [known.from, known.to];
    else fit();
    draw();
  }

  function fit() {
    [view.from, view.to, isFitted] = [-view.end * 0.01, view.end * 1.03, true];
    draw();
  }

  function look(from, to) {
    const width = Math.min(view.end * 1.5, Math.max(view.end / 1e6, to - from));
    view.from = Math.min(view.end - width * 0.1, Math.max(-width * 0.9, from));
    view.to = view.from + width;
    isFitted = false;
    draw();
  }

  function zoom(factor, at = (view.from + view.to) / 2) {
    const width = Math.min(view.end * 1.5, (view.to - view.from) * factor);
    const from = at - width * ((at - view.from) / (view.to - view.from));
    look(from, from + width);
  }

  function pan(share) {
    const step = (view.to - view.from) * share;
    look(view.from + step, view.to + step);
  }

  function draw() {
    wanted = wanted || requestAnimationFrame(() => { wanted = 0; paint(); });
  }

  function paint() {
    const ratio = window.devicePixelRatio || 1;
    const size = { width: canvas.clientWidth, height: TOP + Math.max(1, view.lanes.length) * view.height + BOTTOM };
    const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
    if (canvas.width !== width || canvas.height !== height) {
      canvas.style.height = `${size.height}px`;
      [canvas.width, canvas.height] = [width, height];
    }
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawTimeline(context, view, size);
  }

  function at(event) {
    const box = canvas.getBoundingClientRect();
    const scale = (view.to - view.from) / box.width;
    const time = view.from + (event.clientX - box.left) * scale;
    const calls = view.lanes[Math.floor((event.clientY - box.top - TOP) / view.height)] || [];
    let [found, nearest] = [null, 4 * scale];
    for (let index = firstAfter(calls, time - nearest); index < calls.length; index += 1) {
      const call = calls[index];
      const far = Math.max(call.started_ms - time, time - call.started_ms - call.duration_ms, 0);
      if (far < nearest) [found, nearest] = [call, far];
      if (far === 0 || call.started_ms > time + nearest) break;
    }
    return { time, call: found, left: event.clientX - box.left, top: event.clientY - box.top };
  }

  function hover(event) {
    const { call, left, top } = at(event);
    canvas.style.cursor = call ? "pointer" : "default";
    hint.hidden = !call;
    if (call) {
      hint.replaceChildren(el("b", {}, `${call.operation} ${call.target.slice(0, 200)}`),
        el("div", {}, el("span", { class: tone(call.outcome) }, call.outcome),
          ` · ${milliseconds(call.duration_ms)} · ${call.rule ? call.rule : "no rule"}`));
      hint.style.left = `${Math.max(4, Math.min(left + 12, canvas.clientWidth - hint.offsetWidth - 4))}px`;
      hint.style.top = `${top + 16}px`;
    }
    if (call !== view.hovered) {
      view.hovered = call;
      draw();
    }
  }

  canvas.addEventListener("pointerdown", (event) => {
    drag = { x: event.clientX, isMoved: false };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!drag) return hover(event);
    const moved = drag.x - event.clientX;
    if (Math.abs(moved) > 3 || drag.isMoved) {
      drag = { x: event.clientX, isMoved: true };
      pan(moved / canvas.clientWidth);
    }
  });
  canvas.addEventListener("pointerup", (event) => {
    const { call } = at(event);
    if (drag && !drag.isMoved && call) select(call);
    drag = null;
  });
  canvas.addEventListener("pointercancel", () => { drag = null; });
  canvas.addEventListener("pointerleave", () => {
    [view.hovered, hint.hidden] = [null, true];
    draw();
  });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) pan((event.deltaX || event.deltaY) / 800);
    else zoom(Math.exp(event.deltaY / 400), at(event).time);
  }, { passive: false });
  new ResizeObserver(draw).observe(canvas);

  return {
    element: el("div", { class: "timeline" }, canvas, hint),
    show, fit, zoom, pan, draw,
    select(call) {
      view.selected = call;
      const width = view.to - view.from;
      if (call && (call.started_ms + call.duration_ms < view.from || call.started_ms > view.to)) {
        look(call.started_ms - width / 2, call.started_ms + width / 2);
      }
      draw();
    },
    // The selected call fills a third of the view.
    enlarge() {
      const call = view.selected;
      const width = call && Math.max(call.duration_ms, view.end / 1e5);
      if (call) look(call.started_ms - width, call.started_ms + width * 2);
    },
    limit(calls) { view.visible = calls; draw(); },
  };
}
