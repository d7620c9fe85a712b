// A server's own page: asks for a token, lists runs, and shows one, again while it has not ended.
function live(show, message) {
  let token = sessionStorage.getItem("token") || "";
  let shown = null, again = 0;

  async function get(path) {
    const response = await fetch(path, { headers: token ? { authorization: `Bearer ${token}` } : {} });
    if (response.status === 401) throw new Error("The server does not know this token.");
    if (!response.ok) throw new Error(`The server answers with status ${response.status}.`);
    return response.json();
  }

  async function load(id) {
    clearTimeout(again);
    shown = id;
    location.hash = id;
    const data = await get(`/v1/runs/${encodeURIComponent(id)}/document`);
    if (shown !== id) return;
    show(data, id);
    const run = data.runs.find((one) => one.run === id);
    if (run && !run.ended) again = setTimeout(() => load(id).catch(message), 700);
  }

  async function list() {
    const { runs } = await get("/v1/runs?limit=100");
    return runs;
  }

  function ask(text) {
    const input = el("input", { type: "password", autocomplete: "off", "aria-label": "Token", placeholder: "token", name: "token" });
    const dialog = el("dialog", {}, el("form", { method: "dialog" }, el("p", {}, text), input, " ", el("button", {}, "Show runs")));
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
      const runs = await list();
      show({ runs: [], tree: [], notes: runs.length ? [] : ["This caller has no runs."] }, null, runs.map((run) => ({
        id: run.id, name: `${run.state} ${run.id.slice(0, 12)}`, time: run.created_at,
      })), (id) => load(id).catch(message));
      const wanted = decodeURIComponent(location.hash.slice(1));
      if (wanted) await load(wanted);
    } catch (error) {
      ask(error.message === "The server does not know this token." && !token ? "Callers of this server have a token." : error.message);
    }
  }
  begin();
}
