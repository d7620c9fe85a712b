// Blob, File, FormData.
const blob = new Blob(["héllo ", new Uint8Array([119, 111]), new Blob(["rld"])], { type: "Text/Plain" });
console.log(
  blob.size,
  blob.type,
  blob.slice(0, 5).size,
  blob.slice(-3).size,
  blob.slice(2, 4, "x/y").type,
  Object.prototype.toString.call(blob),
);
const form = new FormData();
form.append("name", "Ada");
form.append("list", 1);
form.append("list", "2");
form.set("name", "Grace");
form.append("file", new Blob(["content"], { type: "text/plain" }), "a.txt");
console.log(
  [...form.keys()],
  form.get("name"),
  form.getAll("list"),
  form.has("none"),
  form.get("file").name,
  form.get("file").type,
);
form.delete("list");
console.log([...form].length);
async function main() {
  console.log(await blob.text(), new Uint8Array(await blob.slice(0, 2).arrayBuffer()), await form.get("file").text());
  const encoded = await new Response(form).text();
  const boundary = encoded.split("\r\n")[0];
  console.log(encoded.replaceAll(boundary, "--B").replaceAll("\r\n", "|"));
  console.log(new Response(form).headers.get("content-type").split(";")[0]);
}
main();
