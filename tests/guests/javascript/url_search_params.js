// URLSearchParams.
const params = new URLSearchParams("?a=1&b=two%20words&a=3&empty=&plus=x+y&%C3%A9=%E2%82%AC");
console.log(
  params.get("a"),
  params.getAll("a"),
  params.get("b"),
  params.get("empty"),
  params.get("plus"),
  params.get("é"),
  params.get("none"),
  params.has("b"),
  params.size,
);
console.log(params.toString());
params.append("c", "1&2=3");
params.delete("a");
params.set("b", "ü");
console.log([...params], [...params.keys()], [...params.values()]);
console.log(
  new URLSearchParams({ x: 1, y: true, z: "a b" }).toString(),
  new URLSearchParams([
    ["k", "1"],
    ["k", "2"],
  ]).toString(),
  new URLSearchParams(new Map([["m", 1]])).toString(),
  new URLSearchParams(params).size,
);
const sorted = new URLSearchParams("c=3&a=1&b=2&a=0");
sorted.sort();
console.log(String(sorted), Object.fromEntries(sorted));
sorted.forEach((value, name) => console.log(name, value));
console.log(new URLSearchParams("a=b=c&&d&=e").toString(), new URLSearchParams("*-._~!'()").toString(), params);
console.log(params.has("b", "ü"), new URLSearchParams(""), `${new URLSearchParams({ q: "tom & jerry", page: 2 })}`);
try {
  new URLSearchParams([["only one"]]);
} catch (error) {
  console.log(error.name);
}
