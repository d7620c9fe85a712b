// Programs that are not quite scripts, told in words that are.
//
// A script is what the engine runs best: top-level `await`, a value, globals that stay. Three things that programs do are
// not allowed in one, or not twice: a `return` outside of a function, `import` and `export`, and declaring a name again that an
// earlier program of the session declared. The text is changed in place, so that every line stays where it is.

import { parse } from "acorn";

const OPTIONS = {
  ecmaVersion: "latest",
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  allowHashBang: true,
};

// Where to look before a program is taken apart: most sessions need no second look at most of their programs.
const DECLARES = /\b(?:let|const|class)\b/;
const REFUSED = /\b(?:return|import|export)\b/;

function read(source) {
  for (const sourceType of ["script", "module"]) {
    try {
      return parse(source, { ...OPTIONS, sourceType });
    } catch (error) {
      // The engine's own words about the fault are the better ones.
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return undefined;
}

// Changes to a text that do not overlap.
class Edits {
  #edits = [];

  replace(start, end, text) {
    this.#edits.push({ start, end, text });
  }

  apply(source) {
    this.#edits.sort((left, right) => left.start - right.start || left.end - right.end);
    let result = "";
    let at = 0;
    for (const { start, end, text } of this.#edits) {
      result += source.slice(at, start) + text;
      at = end;
    }
    return result + source.slice(at);
  }
}

// Calls `visit` for every `return` that belongs to the program itself.
function returns(node, visit) {
  if (node === null || typeof node !== "object") return;
  if (Array.isArray(node)) {
    for (const child of node) returns(child, visit);
    return;
  }
  switch (node.type) {
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
    case "ClassBody":
      return;
    case "ReturnStatement":
      visit(node);
      return;
  }
  for (const key of Object.keys(node)) if (key !== "type") returns(node[key], visit);
}

const lineBreaks = (text) => text.replace(/[^\n\r\u2028\u2029]/g, "");

function importNames(specifiers) {
  const names = [];
  let whole = "";
  for (const specifier of specifiers) {
    const local = specifier.local.name;
    if (specifier.type === "ImportNamespaceSpecifier") whole = local;
    else if (specifier.type === "ImportDefaultSpecifier") names.push(`default: ${local}`);
    else names.push(`${specifier.imported.name ?? JSON.stringify(specifier.imported.value)}: ${local}`);
  }
  return { names, whole };
}

function rewriteImport(node, source, edits) {
  const { names, whole } = importNames(node.specifiers);
  const module = `await import(${node.source.raw})`;
  const breaks = lineBreaks(source.slice(node.start, node.end));
  if (node.specifiers.length === 0) edits.replace(node.start, node.end, `${module};${breaks}`);
  else if (whole === "") edits.replace(node.start, node.end, `var {${names.join(", ")}} = ${module};${breaks}`);
  else edits.replace(node.start, node.end, `var ${whole} = ${module}${names.length > 0 ? `, {${names.join(", ")}} = ${whole}` : ""};${breaks}`);
}

// Top-level names become globals that may be declared again.
function rewriteDeclaration(node, edits) {
  if (node.type === "VariableDeclaration" && (node.kind === "let" || node.kind === "const")) {
    edits.replace(node.start, node.start + node.kind.length, "var".padEnd(node.kind.length));
  } else if (node.type === "ClassDeclaration" && node.id) {
    edits.replace(node.start, node.start, `var ${node.id.name} = `);
    edits.replace(node.end, node.end, ";");
  }
}

function rewriteExport(node, edits) {
  const declaration = node.declaration;
  if (node.type === "ExportDefaultDeclaration") {
    const named = /^(?:Function|Class)Declaration$/.test(declaration.type) && declaration.id;
    edits.replace(node.start, declaration.start, named ? "" : "(");
    if (!named) edits.replace(declaration.end, declaration.end, ")");
  } else if (declaration) {
    edits.replace(node.start, declaration.start, "");
  } else {
    edits.replace(node.start, node.end, "");
  }
  return declaration;
}

// A `return` leaves a block around the whole program, and what it returns is the last thing that was evaluated. Functions that
// would not be seen outside of a block are made globals at its beginning.
function rewriteReturns(program, source, edits, label) {
  const found = [];
  returns(program.body, (node) => found.push(node));
  if (found.length === 0) return;
  for (const node of found) {
    const argument = node.argument ? source.slice(node.argument.start, node.argument.end) : "void 0";
    edits.replace(node.start, node.end, `{ (${argument}); break ${label}; }`);
  }
  const functions = program.body.filter((node) => node.type === "FunctionDeclaration" && (node.async || node.generator)).map((node) => node.id.name);
  const directives = program.body.filter((node) => node.directive);
  const begin = directives.length > 0 ? directives.at(-1).end : program.start;
  const globals = functions.length > 0 ? `Object.assign(globalThis, { ${functions.join(", ")} });` : "";
  edits.replace(begin, begin, `;${label}: {${globals}`);
  edits.replace(source.length, source.length, "\n}");
}

// The program in other words, or nothing if it is best as it is. `refused` says that the engine has refused it.
export function rewrite(source, session, refused) {
  if (!(session && DECLARES.test(source)) && !(refused && REFUSED.test(source))) return undefined;
  const program = read(source);
  if (program === undefined) return undefined;
  const edits = new Edits();
  for (const node of program.body) {
    let declaration = node;
    if (node.type === "ImportDeclaration") rewriteImport(node, source, edits);
    else if (node.type.startsWith("Export")) declaration = rewriteExport(node, edits) ?? node;
    if (session || refused) rewriteDeclaration(declaration, edits);
  }
  rewriteReturns(program, source, edits, "__program__");
  return edits.apply(source);
}

// Whether the program is nothing but a function to be called: `async () => { … }`.
export function isOneFunction(source) {
  const body = read(source)?.body ?? [];
  const expression = body.length === 1 && body[0].type === "ExpressionStatement" ? body[0].expression : undefined;
  return (expression?.type === "ArrowFunctionExpression" || expression?.type === "FunctionExpression") && expression.params.length === 0;
}
