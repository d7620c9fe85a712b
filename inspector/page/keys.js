// What keys do.
const KEYS = [
  ["j k", "↓ ↑", "next, previous call"], ["Home End", "", "first, last call"], ["Enter", "", "details of the call"],
  ["/", "", "filter"], ["+ -", "wheel", "zoom"], ["← →", "drag", "pan"], ["f", "", "all of the run"],
  ["z", "", "the selected call"],
  ["[ ]", "", "previous, next run"], ["t", "", "dark or light"], ["?", "", "these keys"],
  ["Esc", "", "close, clear, or deselect"],
];

function keyHelp() {
  const names = (text) => text.split(" ").filter(Boolean).map((key) => [el("kbd", {}, key), " "]);
  return el("dialog", { "aria-label": "Keys" }, heading("Keys"),
    el("dl", {}, KEYS.map(([keys, others, text]) => [el("dt", {}, names(keys), names(others)), el("dd", {}, text)])),
    el("p", { class: "soft" }, "Every word of the filter has to be in number, capability, operation, target, outcome or rule."),
    el("form", { method: "dialog" }, el("button", {}, "Close")));
}

function listen(actions) {
  const editing = ["Escape", "ArrowDown", "ArrowUp", "Enter"];
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const { target, key } = event;
    if (target instanceof HTMLInputElement && !editing.includes(key)) return;
    // These scroll a text, and press a button.
    const scrolls = ["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "Home", "End"].includes(key);
    if (scrolls && target instanceof Element && target.closest(".block, .code, aside")) return;
    if (key === "Enter" && target instanceof HTMLButtonElement) return;
    if (!Object.hasOwn(actions, key)) return;
    event.preventDefault();
    actions[key]();
  });
}
