// A server's own page: asks for a token, lists runs, and shows one, again while it has not ended.
function live(show, message) {
  const WAIT = 700;
  let token = sessionStorage.getItem("token") || "";
  let shown = null, again = 0, last = "";

  async function get(path) {
    const response = await fetch(path, { headers: token ? { authorization: `Bearer ${token}` } : {} });
    if (response.status === 401) throw Object.assign(new Error("The server does not know this token."), { isRefused: true });
    if (response.status === 404) throw new Error("This caller has no such run.");
    if (!response.ok) throw new Error(`The server answers with status ${response.status}.`);
    return response.text();
  }

  async function load(id) {
    clearTimeout(again);
    if (shown !== id) [shown, last] = [id, ""];
    location.hash = id;
    const began = performance.now();
    const text = await get(`/v1/runs/${encodeURIComponent(id)}/document`);
    if (shown !== id) return;
    const data = parse(text);
    // What a reader has selected stays as it is while nothing changes.
    if (text !== last) show(data, id);
    last = text;
    const run = data.runs.find((one) => one.run === id);
    // A document that takes long is asked for less often.
    if (run && !run.ended) again = setTimeout(() => refresh(id), Math.max(WAIT, (performance.now() - began) * 5));
  }

  function refresh(id) {
    if (shown !== id) return;
    if (document.hidden) again = setTimeout(() => refresh(id), WAIT);
    else load(id).catch(message);
  }

  function ask(text) {
    const input = el("input", { type: "password", autocomplete: "off", "aria-label": "Token", placeholder: "token" });
    const dialog = el("dialog", { "aria-label": "Token" }, el("form", { method: "dialog" }, el("p", {}, text),
      el("div", { class: "filter" }, input, el("button", {}, "Show runs"))));
    dialog.addEventListener("close", () => {
      token = input.value;
      // For this tab only.
      sessionStorage.setItem("token", token);
      dialog.remove();
      begin();
    });
    document.body.append(dialog);
    dialog.showModal();
  }

  async function begin() {
    try {
      const { runs } = parse(await get("/v1/runs?limit=100"));
      const choices = runs.map((run) => ({ id: run.id, state: run.state, time: run.created_at }));
      const notes = runs.length ? [] : ["This caller has no runs."];
      show({ runs: [], tree: [], notes }, null, choices, (id) => load(id).catch(message));
      const wanted = decodeURIComponent(location.hash.slice(1));
      if (wanted) await load(wanted);
    } catch (error) {
      if (error.isRefused) ask(token ? error.message : "Callers of this server have a token.");
      else message(error);
    }
  }

  // A link cannot send the token.
  async function save() {
    const file = new Blob([await get(`/v1/runs/${encodeURIComponent(shown)}/trace`)], { type: "application/json" });
    const link = el("a", { href: URL.createObjectURL(file), download: `${shown}.perfetto.json` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  begin();
  return { save: () => save().catch(message) };
}
