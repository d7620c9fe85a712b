// A tokenizer, a parser and an evaluator.
function* tokens(source) {
  const pattern = /\s*(?:(?<number>\d+(?:\.\d+)?)|(?<name>[a-z_]\w*)|(?<operator>\*\*|[-+*\/%(),=]))/giy;
  while (pattern.lastIndex < source.trimEnd().length) {
    const at = pattern.lastIndex;
    const match = pattern.exec(source);
    if (!match) throw new SyntaxError(`unexpected '${source[at]}' at ${at}`);
    const [[type, text]] = Object.entries(match.groups).filter(([, value]) => value !== undefined);
    yield { type, text };
  }
}
class Parser {
  constructor(source) {
    this.list = [...tokens(source)];
    this.at = 0;
  }
  peek(text) {
    return this.list[this.at]?.text === text;
  }
  take(text) {
    if (!this.peek(text)) throw new SyntaxError(`expected '${text}', found '${this.list[this.at]?.text ?? "the end"}'`);
    return this.list[this.at++];
  }
  program() {
    const node =
      this.list[1]?.text === "="
        ? { type: "assign", name: this.list[(this.at += 2) - 2].text, value: this.sum() }
        : this.sum();
    if (this.at < this.list.length) throw new SyntaxError(`unexpected '${this.list[this.at].text}'`);
    return node;
  }
  binary(next, ...operators) {
    let left = this[next]();
    while (operators.includes(this.list[this.at]?.text))
      left = { type: "binary", operator: this.list[this.at++].text, left, right: this[next]() };
    return left;
  }
  sum() {
    return this.binary("product", "+", "-");
  }
  product() {
    return this.binary("unary", "*", "/", "%");
  }
  unary() {
    if (this.peek("-")) return (this.at++, { type: "negate", value: this.unary() });
    const base = this.atom();
    return this.peek("**") ? (this.at++, { type: "binary", operator: "**", left: base, right: this.unary() }) : base;
  }
  atom() {
    const token = this.list[this.at++];
    if (token?.type === "number") return { type: "number", value: +token.text };
    if (token?.text === "(") {
      const inner = this.sum();
      this.take(")");
      return inner;
    }
    if (token?.type !== "name") throw new SyntaxError(`unexpected '${token?.text ?? "the end"}'`);
    if (!this.peek("(")) return { type: "name", name: token.text };
    this.take("(");
    const values = [];
    while (!this.peek(")")) {
      values.push(this.sum());
      if (!this.peek(")")) this.take(",");
    }
    this.take(")");
    return { type: "call", name: token.text, values };
  }
}
const scope = { pi: 3.14159, max: Math.max, sqrt: Math.sqrt };
const operations = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
  "**": (a, b) => a ** b,
};
const evaluate = (node) =>
  ({
    number: () => node.value,
    name: () => {
      if (!(node.name in scope)) throw new ReferenceError(`${node.name} is not known`);
      return scope[node.name];
    },
    assign: () => (scope[node.name] = evaluate(node.value)),
    negate: () => -evaluate(node.value),
    binary: () => operations[node.operator](evaluate(node.left), evaluate(node.right)),
    call: () => scope[node.name](...node.values.map(evaluate)),
  })[node.type]();
for (const source of [
  "1 + 2 * 3",
  "(1 + 2) * 3",
  "2 ** 3 ** 2",
  "-2 ** 2",
  "10 / 4 - 1",
  "x = 7 % 4",
  "x * x",
  "max(1, x, sqrt(16))",
  "2 +",
  "3 $ 4",
  "unknown + 1",
  "(1",
  "pi * 2",
]) {
  try {
    console.log(source, "=", evaluate(new Parser(source).program()));
  } catch (error) {
    console.log(source, error.name, error.message);
  }
}
console.log(JSON.stringify(new Parser("f(1, -a)").program()));
