use super::{
    assigns, exceeds_chain, exceeds_depth, exceeds_operators, has_decorators, is_one_function, module, with_line_ends,
    without_modules,
};

#[track_caller]
fn assert_module(source: &str, expected: &str) {
    assert_eq!(module(source).as_deref().unwrap_or(source), expected);
}

/// Like TypeScript, treats an import without use as a type.
#[track_caller]
fn assert_used(source: &str, expected: &str) {
    let (taken, imports) = without_modules(source).expect("there are imports");
    assert_eq!(imports.put_back(&taken, true), expected);
}

#[test]
fn imports_load_and_exports_declare() {
    assert_module(
        "import fs from 'fs';\nfs",
        &format!("{}\nfs", checked("default: fs", "await import('fs')", "'fs'", "\"default\"")),
    );
    assert_module("import * as fs from 'fs'\nfs", "const fs = await import('fs');\nfs");
    assert_module(
        "import {\n  a,\n  b as c,\n} from 'x';\na",
        &format!("{}\n\n\n\na", checked("a: a, b: c", "await import('x')", "'x'", "\"a\", \"b\"")),
    );
    assert_module(
        "import 'x'\nimport * as a from 'y' with { type: 'json' };",
        "await import('x');\nconst a = await import('y');",
    );
    assert_module(
        "import a, * as b from 'x'",
        "const b = await import('x'), {default: a} = globalThis[\"import.names\"](b, 'x', [\"default\"]);",
    );
    assert_module("export const a = 1; export default a", "const a = 1; 0, a");
    assert_module("export default async function main() {}\nexport { a as b };", "async function main() {}\n;");
    assert_module("export default function* () {}", "0, function* () {}");
    assert_module("export class A {}", "class A {}");
    assert_module("export * from 'x'; export { a } from 'y'", "await import('x'); await import('y');");
    assert_module("const x = await import('fs')", "const x = await import('fs')");
    assert_module("import.meta.url", "import.meta.url");
    assert!(module("import.meta.url").is_some() && module("x.import; y.export").is_none());
}

fn checked(pattern: &str, loaded: &str, from: &str, names: &str) -> String {
    format!("const {{{pattern}}} = globalThis[\"import.names\"]({loaded}, {from}, [{names}]);")
}

#[test]
fn imports_come_first() {
    assert_module(
        "'use strict';\nimport 'a';\nf();\nimport 'b';\nimport 'c'",
        "'use strict';\nawait import('a');await import('b');await import('c');\nf();\n;\n;",
    );
    assert_module("f();\nimport 'b';", "await import('b');f();\n;");
}

#[test]
fn imports_of_types_are_left_out() {
    let a = checked("a: a", "await import('x')", "'x'", "\"a\"");
    assert_used("import { a, type B, type C as D } from 'x';\na", &format!("{a}\na"));
    assert_used("import { a, B } from 'x';\na", &format!("{a}\na"));
    assert_used("import { a } from 'x';\nf({ a, b: 1 })", &format!("{a}\nf({{ a, b: 1 }})"));
    assert_used("import { a } from 'x';\nf({ a: 1 }, b.a)", ";\nf({ a: 1 }, b.a)");
    assert_used("import type { B } from 'x';\nimport type C from 'y'; a", "\n a");
    assert_used("import x = require('x');\nimport y = A.B;\nx(y)", "const x = require('x');\nconst y = A.B;\nx(y)");
    assert_used("import type x = require('x');\nx", "\nx");
    assert_used("export type A = number; export const b: A = 1;", "type A = number; const b: A = 1;");
    assert_used("export = a; import 'x'", "await import('x');module.exports = a; ;");
    assert!(without_modules("let a: number = 1;").is_none());
}

#[test]
fn decorators_are_seen() {
    for source in ["@a class B {}", "class A { accessor b = 1 }", "class A { static accessor #b; }"] {
        assert!(has_decorators(source), "{source}");
    }
    for source in ["'@'", "// @a\n`@`", "accessor = 1", "a.accessor"] {
        assert!(!has_decorators(source), "{source}");
    }
}

#[test]
fn regular_expressions_are_told_from_divisions() {
    for before in [
        "if (x) /[/]{/.test(y)\n",
        "x = (1) / 2; a = '/{';",
        "x = a++ / 2; b = c[0] / d /e\n",
        "f(/(/, `}`, \"{\");",
        "return_ = () => /}/ ;",
        "{}\n/}/.test(x)\n",
        "let a = `x${ { y: `}` }.y }{`;",
        "`\\`${'`'}`;",
    ] {
        assert_module(&format!("{before} export class A {{}}"), &format!("{before} class A {{}}"));
    }
}

#[test]
fn what_is_no_statement_stays() {
    for source in [
        "function f() { import('x') }",
        "x = { import: 1, export: 2 }",
        "`import 'a'` // export {}\n/* import */",
        "a.import; a?.export",
        "/export {}/.test(b)",
    ] {
        assert!(module(source).is_none(), "{source}");
    }
}

#[test]
fn a_program_may_be_one_function() {
    for source in [
        "async () => { return 1 }",
        "() => 1",
        "(async () => {\n await x\n});",
        "async function main() { }",
        "function () {}",
        "// comment\nasync () => {\n}\n",
        "async () => await f({ a: 1 }, [2])",
        "(() => 1)",
    ] {
        assert!(is_one_function(source), "{source}");
    }
    for source in [
        "(async () => {})()",
        "async (x) => x",
        "f",
        "() => 1; 2",
        "x = () => {}",
        "",
        "async () => {}\nf()",
        "(() => 1), (() => 2)",
    ] {
        assert!(!is_one_function(source), "{source}");
    }
}

#[test]
fn hostile_texts_are_only_texts() {
    for piece in [
        "(",
        "{",
        "[",
        "`${",
        "return ",
        "import ",
        "export {",
        "class A {",
        "let ",
        "/",
        "'",
        "`",
        "}",
        "é",
        "\u{2028}",
        "?:",
        "import {a,",
        "return (",
        "\\",
    ] {
        let source = piece.repeat(10_000);
        let _ = (module(&source), has_decorators(&source), is_one_function(&source));
        let source = format!("let a; {source} return 1 import x from 'y'");
        let _ = (module(&source), has_decorators(&source), is_one_function(&source));
    }
}

#[test]
fn assignments_are_seen() {
    for source in ["result = 1", "const result = f()", "globalThis.result = 2", "if (x) { result\n= 3 }"] {
        assert!(assigns(source, "result"), "{source}");
    }
    for source in ["result + 1", "result == 2", "result => 1", "// result = 1", "'result = 1'", "results = 1", ""] {
        assert!(!assigns(source, "result"), "{source}");
    }
}

#[test]
fn nesting_is_found() {
    let repeated = |piece: &str| piece.repeat(1000);
    let nested = [
        "(",
        "[",
        "{",
        "`${",
        "() => ",
        "async () => ",
        "<T,>() => ",
        "(a = ",
        "!",
        "- ",
        "typeof ",
        "new ",
        "await ",
        "a = ",
        "a ? ",
        "a ? b : ",
        "a ** ",
        "if (a) ",
        "if (a) b; else ",
        "if (a) {} else ",
        "for (;;) ",
        "while (a)\n",
        "a: ",
        "a:\n",
        "function f() {",
        "class A extends (",
        "A<",
        "Map<A, ",
        "keyof ",
        "keyof\n",
        "A extends B ? ",
        "A extends\nB\n? C\n: ",
        "(a: ",
        "{ a: ",
        "[K in ",
        "<A>",
    ];
    for piece in nested {
        let found = exceeds_depth(&repeated(piece), 800);
        assert!(found.is_some_and(|offset| offset < 1000 * piece.len()), "{piece}: {found:?}");
    }
}

#[test]
fn what_is_long_is_not_nested() {
    let long = [
        "if (a) b; else c;",
        "if (a) { b } else { c } ",
        "const a = b ? c : d\n",
        "let a: Array<string>\n",
        "x = -1;",
        "f(() => {}, (a = 1) => a);\n",
        "const f = () => {}\n",
        "class A { a?: string = 1; b(): void {} }\n",
        "case 1: case 2: break;",
        "interface A {\n  a: string\n  b?: number\n}\n",
        "{ a: 1, b: !c },",
        "a < b && ",
        "a === b || ",
        "a<b;",
        "type A<T extends B> = T extends C ? D : E;\n",
        "'a' | ",
        "a as B;",
        "for (const a of b) { c = d }\n",
        "while (a) b()\n",
        "/(((/;",
        "'((('; ",
        "// (((\n",
        "`${a}`;",
        "a.b[c](d)!.e;",
        "async function f() { await g(); return -1 }\n",
        "@d class A {}\n",
        "export default class A { private a = 1 }\n",
        "a = {\n  b: () => c,\n  d() { return e ? f : g },\n}\n",
    ];
    for piece in long {
        assert_eq!(exceeds_depth(&piece.repeat(10_000), 800), None, "{piece}");
    }
}

#[test]
fn chains_are_found() {
    for piece in ["()", ".b", "\n  .b()", "[0]", " as B", "!.b", "?.(c, d + e)"] {
        let source = format!("let c; x = a{}", piece.repeat(1000));
        assert!(exceeds_chain(&source, 800).is_some_and(|offset| offset < 1000 * piece.len()), "{piece}");
        assert_eq!(exceeds_chain(&source, 4000), None, "{piece}");
    }
    for piece in [
        "a.b + ",
        "a.b()\n",
        "a.b();",
        "a.b, ",
        "f(a.b)\n",
        "[a.b, c.d], ",
        "(",
        "if (a) { c.d }\n",
        "-",
        "a!;",
        "x => ",
        "!",
    ] {
        assert_eq!(exceeds_chain(&piece.repeat(10_000), 800), None, "{piece}");
    }
}

#[test]
fn lines_end_behind_words_that_begin_declarations() {
    let ended = |source: &str| with_line_ends(source).unwrap_or_else(|| source.to_owned());
    assert_eq!(ended("let type = 1\ntype\nlet namespace"), "let type = 1\ntype;\nlet namespace");
    assert_eq!(ended("module\n{ f() }"), "module;\n{ f() }");
    assert_eq!(ended("f(); declare // why\nvar a"), "f(); declare; // why\nvar a");
    assert_eq!(ended("class A { override\nreadonly\nx = 1 }"), "class A { override;\nreadonly;\nx = 1 }");
    assert_eq!(
        ended("class A { private\n[x] = 1\nabstract\n*f() {} }"),
        "class A { private;\n[x] = 1\nabstract;\n*f() {} }"
    );
    for source in [
        "type A =\n  | B\n  | C",
        "type A<\n  T\n> = T",
        "namespace A {\n}",
        "const { type,\n module\n} = x",
        "f(type\n, module\n)",
        "type\n= 3",
        "x.type\ny",
        "class A { readonly\n= 1 }",
        "class A { f() { private\n} }",
        "const o = {\n type\n}",
        "a +\ntype\n+ 1",
    ] {
        assert_eq!(ended(source), source);
    }
}

#[test]
fn operators_are_counted() {
    for piece in ["1 + ", "a &&", "b?.c ?? ", "f(a, b) - ", "d === "] {
        assert!(exceeds_operators(&format!("x {}", piece.repeat(1000)), 900).is_some(), "{piece}");
    }
    for piece in ["a + b;", "a + b, ", "a + b\n", "f(a + b)\n", "[a + b], "] {
        assert_eq!(exceeds_operators(&piece.repeat(10_000), 100), None, "{piece}");
    }
}
