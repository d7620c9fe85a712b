// A stack machine, a Lisp, a regular expression matcher, a template engine.
const machine = (program, input = []) => {
  const stack = [];
  const output = [];
  const operations = {
    push: (x) => stack.push(+x),
    add: () => stack.push(stack.pop() + stack.pop()),
    mul: () => stack.push(stack.pop() * stack.pop()),
    sub: () => {
      const b = stack.pop();
      stack.push(stack.pop() - b);
    },
    dup: () => stack.push(stack.at(-1)),
    print: () => output.push(stack.pop()),
    read: () => stack.push(input.shift()),
    swap: () => stack.push(...stack.splice(-2).reverse()),
  };
  const labels = Object.fromEntries(
    program
      .map((line, i) => [line, i])
      .filter(([line]) => line.endsWith(":"))
      .map(([line, i]) => [line.slice(0, -1), i]),
  );
  for (let at = 0, steps = 0; at < program.length && steps < 1000; at++, steps++) {
    const [name, argument] = program[at].split(" ");
    if (name === "jnz") {
      if (stack.at(-1) !== 0) at = labels[argument];
    } else if (!name.endsWith(":")) operations[name](argument);
  }
  return output;
};
console.log(
  machine(["push 2", "push 3", "add", "dup", "mul", "print"]),
  machine(
    [
      "push 1",
      "read",
      "loop:",
      "dup",
      "print",
      "swap",
      "push 2",
      "mul",
      "swap",
      "push 1",
      "sub",
      "jnz loop",
      "swap",
      "print",
    ],
    [4],
  ),
);
const parse = (source) => {
  const tokens = source.match(/[()]|[^\s()]+/g);
  const read = () => {
    const token = tokens.shift();
    if (token !== "(") return isNaN(token) ? token : +token;
    const list = [];
    while (tokens[0] !== ")") list.push(read());
    tokens.shift();
    return list;
  };
  return read();
};
const core = {
  "+": (...n) => n.reduce((a, b) => a + b),
  "*": (...n) => n.reduce((a, b) => a * b),
  "-": (a, b) => a - b,
  "<": (a, b) => a < b,
  "=": (a, b) => a === b,
  list: (...n) => n,
  map: (f, l) => l.map((x) => f(x)),
};
const evaluate = (node, scope) => {
  if (typeof node === "number") return node;
  if (typeof node === "string") {
    if (!(node in scope)) throw new ReferenceError(`${node} is unbound`);
    return scope[node];
  }
  const [head, ...rest] = node;
  if (head === "if") return evaluate(evaluate(rest[0], scope) ? rest[1] : rest[2], scope);
  if (head === "define") return (scope[rest[0]] = evaluate(rest[1], scope));
  if (head === "lambda")
    return (...values) =>
      evaluate(
        rest[1],
        Object.assign(Object.create(scope), Object.fromEntries(rest[0].map((name, i) => [name, values[i]]))),
      );
  if (head === "let")
    return evaluate(
      rest[1],
      Object.assign(
        Object.create(scope),
        Object.fromEntries(rest[0].map(([name, value]) => [name, evaluate(value, scope)])),
      ),
    );
  return evaluate(head, scope)(...rest.map((each) => evaluate(each, scope)));
};
const scope = { ...core };
for (const source of [
  "(+ 1 (* 2 3))",
  "(define fact (lambda (n) (if (< n 2) 1 (* n (fact (- n 1))))))",
  "(fact 10)",
  "(map (lambda (x) (* x x)) (list 1 2 3))",
  "(let ((x 5) (y 6)) (+ x y))",
  "(undefined-thing 1)",
  "((lambda (f) (f f 5)) (lambda (self n) (if (= n 0) 0 (+ n (self self (- n 1))))))",
]) {
  try {
    const value = evaluate(parse(source), scope);
    console.log(typeof value === "function" ? "function" : value);
  } catch (error) {
    console.log(error.name, error.message);
  }
}
const matches = (pattern, text) => {
  const here = (p, t) =>
    p === ""
      ? true
      : p === "$"
        ? t === ""
        : p[1] === "*"
          ? star(p[0], p.slice(2), t)
          : t !== "" && (p[0] === "." || p[0] === t[0]) && here(p.slice(1), t.slice(1));
  const star = (c, p, t) => here(p, t) || (t !== "" && (c === "." || c === t[0]) && star(c, p, t.slice(1)));
  return pattern[0] === "^"
    ? here(pattern.slice(1), text)
    : Array.from({ length: text.length + 1 }, (_, i) => text.slice(i)).some((rest) => here(pattern, rest));
};
console.log(
  [
    ["^a.*z$", "abcz"],
    ["b*c", "aaac"],
    ["^x", "ax"],
    ["l.d$", "cold"],
    ["", "any"],
  ].map(([p, t]) => matches(p, t)),
);
const compile = (template) =>
  new Function(
    "data",
    `let out = ""; with (data) { ${template
      .split(/(<%[\s\S]*?%>)/)
      .map((part) =>
        part.startsWith("<%=")
          ? `out += (${part.slice(3, -2)});`
          : part.startsWith("<%")
            ? part.slice(2, -2)
            : `out += ${JSON.stringify(part)};`,
      )
      .join("\n")} } return out;`,
  );
console.log(
  compile(
    "<ul><% for (const item of items) { %><li><%= item.name.toUpperCase() %></li><% } %></ul><%= items.length %>",
  )({ items: [{ name: "a" }, { name: "b" }] }),
);
const brainfuck = (code, input = "") => {
  const tape = [0];
  let [at, pointer, out] = [0, 0, ""];
  const jumps = {};
  const open = [];
  [...code].forEach((c, i) => {
    if (c === "[") open.push(i);
    if (c === "]") {
      const j = open.pop();
      jumps[i] = j;
      jumps[j] = i;
    }
  });
  for (; at < code.length; at++) {
    const c = code[at];
    if (c === ">") tape[++pointer] ??= 0;
    else if (c === "<") pointer--;
    else if (c === "+") tape[pointer] = (tape[pointer] + 1) & 255;
    else if (c === "-") tape[pointer] = (tape[pointer] + 255) & 255;
    else if (c === ".") out += String.fromCharCode(tape[pointer]);
    else if (c === ",") {
      tape[pointer] = input.charCodeAt(0) || 0;
      input = input.slice(1);
    } else if (c === "[" && !tape[pointer]) at = jumps[at];
    else if (c === "]" && tape[pointer]) at = jumps[at];
  }
  return out;
};
console.log(
  brainfuck("++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+."),
);
