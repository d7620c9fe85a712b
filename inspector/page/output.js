// What the program left: error, output, value, pictures.
function outputView(run, isLive) {
  const parts = [];
  const block = (text, kind, name) =>
    el("pre", { class: `block ${kind}`, tabindex: 0, role: "region", "aria-label": name }, clipped(text));
  if (run.error) parts.push(heading("Error"), block(run.error, "wrong", "Error"));
  const written = streams(run.output);
  if (written.length) {
    const shown = written.slice(0, 500).map(({ stream, text }) =>
      el("div", { class: stream === "stderr" ? "stream stderr" : "stream" }, el("span", { class: "name" }, stream),
        block(text, "", stream)));
    parts.push(heading("Output"), el("div", { class: "output" }, shown));
    if (written.length > 500) parts.push(el("p", { class: "soft" }, "Later output is not shown."));
  } else {
    const why = isLive ? "The program wrote nothing."
      : "None is in this source. Audits have none; what run --json prints has it.";
    parts.push(heading("Output"), el("p", { class: "soft" }, why));
  }
  if (run.value !== null && run.value !== undefined) parts.push(heading("Value"), block(pretty(run.value), "", "Value"));
  const pictures = run.files.filter(pictureType);
  if (pictures.length) {
    parts.push(heading("Pictures"), el("div", { class: "pictures" }, pictures.slice(0, 100).map((file) => el("figure", {},
      el("img", { alt: file.path, src: `data:${pictureType(file)};base64,${file.base64}` }),
      el("figcaption", {}, el("span", { class: "mono" }, file.path), ` ${bytes(file.size)}`)))));
  }
  return parts;
}

// Parts of the same stream that follow each other are one.
function streams(output) {
  const parts = [];
  for (const { stream, text } of output) {
    const last = parts[parts.length - 1];
    if (last && last.stream === stream) last.texts.push(text);
    else parts.push({ stream, texts: [text] });
  }
  return parts.map(({ stream, texts }) => ({ stream, text: texts.join("").replace(/\n$/, "") }));
}

// By the first bytes, not by what the program says. Other types, such as SVG, are documents with scripts.
function pictureType(file) {
  const types = { iVBORw0KGgo: "image/png", "/9j/": "image/jpeg", R0lGOD: "image/gif", UklGR: "image/webp" };
  const known = Object.keys(types).find((begin) => (file.base64 || "").startsWith(begin));
  return known && types[known];
}
