// Draws a view of the timeline. Calls outside of the view cost nothing, since those of a lane are in their order and are
// searched; and calls that fall on the same pixels are drawn once.
const TOP = 24, BOTTOM = 6;

function drawTimeline(context, view, size) {
  const { from, to, lanes, height: lane } = view;
  const x = (time) => ((time - from) / (to - from)) * size.width;
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "alphabetic";
  context.clearRect(0, 0, size.width, size.height);
  // The time in which the program ran.
  const [begin, end] = [Math.max(0, x(0)), Math.min(size.width, x(view.end))];
  context.fillStyle = colors.get("back");
  if (end > begin) context.fillRect(begin, TOP, end - begin, size.height - TOP);
  drawAxis(context, view, size, x);
  view.pauses.forEach((pause, index) => drawPause(context, pause, view.pauses[index + 1], size, x));
  lanes.forEach((calls, index) => drawLane(context, view, calls, TOP + index * lane, x, size.width));
  for (const [call, color] of [[view.hovered, "soft"], [view.selected, "text"]]) {
    if (call) outline(context, call, TOP + call.lane * lane, lane, x, color);
  }
}

function drawAxis(context, view, size, x) {
  const step = niceStep((view.to - view.from) / Math.max(2, size.width / 110));
  context.fillStyle = colors.get("soft");
  context.strokeStyle = colors.get("line");
  context.lineWidth = 1;
  context.beginPath();
  // As many marks as there is room for.
  for (let number = Math.ceil(view.from / step); number * step < view.to; number += 1) {
    const at = Math.round(x(number * step)) + 0.5;
    context.moveTo(at, TOP - 6);
    context.lineTo(at, size.height);
    const text = mark(number * step, step);
    if (at + 6 + context.measureText(text).width < size.width) context.fillText(text, at + 4, 14);
  }
  context.stroke();
}

function niceStep(step) {
  const power = 10 ** Math.floor(Math.log10(step));
  return [1, 2, 5, 10].map((factor) => factor * power).find((nice) => nice >= step) || step;
}

function drawPause(context, pause, next, size, x) {
  if (pause.kind !== "paused") return;
  const [left, right] = [x(pause.at), next ? x(next.at) : x(pause.at) + 2];
  context.fillStyle = colors.get("pause");
  context.fillRect(left, TOP, Math.max(2, right - left), size.height - TOP);
  context.fillStyle = colors.get("soft");
  if (right - left > 50) context.fillText("paused", left + 5, TOP + 12);
}

function drawLane(context, view, calls, top, x, width) {
  const tall = view.height;
  const [bar, y] = [tall > 9 ? tall - 4 : tall - 1, top + (tall > 9 ? 2 : 0)];
  const foot = Math.max(2, Math.round(bar / 4));
  const isShown = (call) => !view.visible || view.visible.has(call);
  const first = firstAfter(calls, view.from);
  // What others would hide is drawn after them.
  const pass = (wanted, color, at, high) => {
    let last = -1;
    for (let index = first; index < calls.length; index += 1) {
      const call = calls[index];
      if (call.started_ms > view.to) break;
      const left = Math.max(-2, x(call.started_ms));
      const right = Math.min(width + 2, Math.max(left + 2, x(call.started_ms + call.duration_ms)));
      if (right <= last || !wanted(call)) continue;
      last = Math.ceil(right);
      context.fillStyle = color(call);
      // A gap keeps neighbours apart.
      context.fillRect(left, at, Math.max(1.5, right - left - (right - left > 4 ? 1 : 0)), high);
    }
  };
  if (view.visible) pass((call) => !isShown(call), () => colors.get("wait"), y, bar);
  pass(isShown, (call) => colors.get(CAPABILITIES.includes(call.capability) ? call.capability : "wait"), y, bar);
  pass((call) => isShown(call) && tone(call.outcome) === "warn", () => colors.get("warn"), y + bar - foot, foot);
  pass((call) => isShown(call) && tone(call.outcome) === "bad", () => colors.get("bad"), y + bar - foot, foot);
  if (tall < 14) return;
  context.fillStyle = colors.get("back");
  for (let index = first; index < calls.length && calls[index].started_ms <= view.to; index += 1) {
    const call = calls[index];
    const [left, right] = [Math.max(0, x(call.started_ms)), x(call.started_ms + call.duration_ms)];
    if (right - left <= 40 || !isShown(call)) continue;
    label(context, visible(call.target.slice(0, 200)), left + 5, y + bar - 5, right - left - 9);
  }
}

function label(context, text, left, base, room) {
  let shown = text;
  // Texts are not longer than 200 characters.
  while (shown.length > 1 && context.measureText(shown).width > room) shown = `${shown.slice(0, -2 - shown.length / 8)}…`;
  context.fillText(shown, left, base);
}

function outline(context, call, top, tall, x, color) {
  const left = x(call.started_ms);
  const right = Math.max(left + 2, x(call.started_ms + call.duration_ms));
  context.strokeStyle = colors.get(color);
  context.lineWidth = 2;
  context.strokeRect(left - 2, top, right - left + 4, tall - 1);
}

// The first call of a lane that ends after a time.
function firstAfter(calls, time) {
  let [low, high] = [0, calls.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (calls[middle].started_ms + calls[middle].duration_ms < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
