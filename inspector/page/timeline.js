// The timeline: a lane for each call that is in flight beside others. It is drawn anew for each view, so that its cost does not
// depend on how many calls are outside of it: those of a lane are in their order, and are searched.
function timeline(select) {
  const canvas = el("canvas", { tabindex: 0, role: "img", "aria-label": "Timeline of the calls. The table below has the same." });
  const LANE = 18, TOP = 22, BOTTOM = 6;
  let lanes = [], calls = [], end = 1, from = 0, to = 1, selected = null, visible = null, wanted = 0;

  function show(run) {
    calls = run ? run.calls : [];
    lanes = [];
    for (const call of calls) (lanes[call.lane] = lanes[call.lane] || []).push(call);
    lanes = Array.from(lanes, (lane) => (lane || []).sort((one, other) => one.started_ms - other.started_ms));
    end = Math.max(1e-3, ...calls.length ? [calls.reduce((last, call) => Math.max(last, call.started_ms + call.duration_ms), 0)] : [],
      Number(run && run.usage.wall_ms) || 0);
    fit();
  }

  function fit() {
    [from, to] = [0, end * 1.02];
    draw();
  }

  function zoom(factor, at) {
    const center = at === undefined ? (from + to) / 2 : at;
    const width = Math.min(end * 1.5, Math.max(end / 1e6, (to - from) * factor));
    const share = (center - from) / (to - from);
    from = Math.max(-end * 0.1, center - width * share);
    to = from + width;
    draw();
  }

  function pan(share) {
    const width = to - from;
    from = Math.min(end, Math.max(-width * 0.9, from + width * share));
    to = from + width;
    draw();
  }

  function draw() {
    if (wanted) return;
    wanted = requestAnimationFrame(() => { wanted = 0; paint(); });
  }

  function paint() {
    const style = getComputedStyle(document.documentElement);
    const color = (name) => style.getPropertyValue(`--${name}`).trim();
    const ratio = window.devicePixelRatio || 1;
    const width = canvas.clientWidth, height = TOP + Math.max(1, lanes.length) * LANE + BOTTOM;
    canvas.style.height = `${height}px`;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    const x = (time) => ((time - from) / (to - from)) * width;
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = color("soft");
    context.strokeStyle = color("line");
    const step = niceStep((to - from) / Math.max(2, width / 110));
    for (let time = Math.ceil(from / step) * step; time < to; time += step) {
      context.beginPath();
      context.moveTo(x(time), TOP - 4);
      context.lineTo(x(time), height);
      context.stroke();
      context.fillText(milliseconds(Math.abs(time) < step / 2 ? 0 : time), x(time) + 3, 13);
    }
    const colors = Object.fromEntries(CAPABILITIES.map((name) => [name, color(name)]));
    const bad = color("bad"), mark = color("text"), soft = color("wait");
    lanes.forEach((lane, index) => {
      const y = TOP + index * LANE;
      let last = -1;
      for (let number = firstAfter(lane, from); number < lane.length; number += 1) {
        const call = lane[number];
        if (call.started_ms > to) break;
        const left = x(call.started_ms);
        const right = Math.max(left + 1.5, x(call.started_ms + call.duration_ms));
        // Calls that fall on the same pixel are drawn once.
        if (right <= last && call !== selected) continue;
        last = Math.max(last, Math.ceil(right));
        const isHidden = visible && !visible.has(call);
        context.fillStyle = isHidden ? soft : colors[call.capability] || soft;
        context.fillRect(left, y + 2, right - left, LANE - 5);
        if (!isGood(call.outcome)) {
          context.fillStyle = bad;
          context.fillRect(left, y + LANE - 6, right - left, 3);
        }
        if (right - left > 46) {
          context.fillStyle = color("back");
          context.save();
          context.beginPath();
          context.rect(left, y, right - left - 3, LANE);
          context.clip();
          context.fillText(call.target, left + 4, y + 12);
          context.restore();
        }
        if (call === selected) {
          context.strokeStyle = mark;
          context.lineWidth = 2;
          context.strokeRect(left - 1, y + 1, right - left + 2, LANE - 3);
          context.lineWidth = 1;
          context.strokeStyle = color("line");
        }
      }
    });
  }

  function firstAfter(lane, time) {
    let [low, high] = [0, lane.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (lane[middle].started_ms + lane[middle].duration_ms < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function at(event) {
    const box = canvas.getBoundingClientRect();
    const time = from + ((event.clientX - box.left) / box.width) * (to - from);
    const lane = lanes[Math.floor((event.clientY - box.top - TOP) / LANE)] || [];
    const near = ((to - from) / box.width) * 3;
    let found = null;
    for (let number = firstAfter(lane, time - near); number < lane.length && lane[number].started_ms <= time + near; number += 1) {
      found = lane[number];
    }
    return { time, call: found };
  }

  let drag = null;
  canvas.addEventListener("pointerdown", (event) => {
    drag = { x: event.clientX, moved: false };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!drag) {
      const { call } = at(event);
      canvas.title = call ? `${call.operation} ${call.target}: ${call.outcome}, ${milliseconds(call.duration_ms)}` : "";
      return;
    }
    const moved = drag.x - event.clientX;
    if (Math.abs(moved) > 3 || drag.moved) {
      drag = { x: event.clientX, moved: true };
      pan(moved / canvas.clientWidth);
    }
  });
  canvas.addEventListener("pointerup", (event) => {
    if (drag && !drag.moved) {
      const { call } = at(event);
      if (call) select(call);
    }
    drag = null;
  });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    if (event.shiftKey) pan(event.deltaY / 800);
    else zoom(Math.exp(event.deltaY / 400), at(event).time);
  }, { passive: false });
  new ResizeObserver(draw).observe(canvas);

  return {
    canvas, show, fit, zoom, pan, draw, paint,
    mark(call) {
      selected = call;
      if (call && (call.started_ms + call.duration_ms < from || call.started_ms > to)) {
        const width = to - from;
        from = call.started_ms - width / 2;
        to = from + width;
      }
      draw();
    },
    limit(calls) { visible = calls; draw(); },
  };
}

function niceStep(step) {
  const power = 10 ** Math.floor(Math.log10(step));
  return [1, 2, 5, 10].map((factor) => factor * power).find((nice) => nice >= step);
}
