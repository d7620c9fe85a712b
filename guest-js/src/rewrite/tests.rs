use super::{assigns, exceeds_depth, is_one_function, redeclarable, script};

#[track_caller]
fn assert_redeclarable(source: &str, expected: &str) {
    assert_eq!(redeclarable(source).as_deref().unwrap_or(source), expected);
}

#[track_caller]
fn assert_script(source: &str, expected: &str) {
    assert_eq!(script(source).as_deref().unwrap_or(source), expected);
}

#[test]
fn top_level_declarations_become_variables() {
    assert_redeclarable("let a = 1; const b = 2\nlet [c] = d", "var a = 1; var   b = 2\nvar [c] = d");
    assert_redeclarable("const {a, b: {c}} = x", "var   {a, b: {c}} = x");
    assert_redeclarable("class A { b() {} }\nA", "var A = class A { b() {} };\nA");
    assert_redeclarable(
        "class A extends f({x: 1}) { static { let y } }",
        "var A = class A extends f({x: 1}) { static { let y } };",
    );
}

#[test]
fn classes_in_the_heritage_of_classes() {
    assert_redeclarable("class A extends class { m() {} } {}", "var A = class A extends class { m() {} } {};");
    assert_redeclarable(
        "class A extends (class { m() {} }) { n() {} }\nlet b",
        "var A = class A extends (class { m() {} }) { n() {} };\nvar b",
    );
}

#[test]
fn what_is_not_top_level_stays() {
    for source in [
        "for (let i = 0; i < 1; i++) {}",
        "{ let a = 1 }",
        "function f() { const x = 1; class B {} }",
        "x = class {}; y = class Z {}",
        "(() => { let a })()",
        "`${(() => { let a })()} let b`",
        "'let a = 1' // let b\n/* const c */",
        "/let a/.test(b); a.let; ({ let: 1, const: 2, class: 3 })",
        "if (x) { const y = 1 } else { let z }",
        "x = a / b; y = '/'; z = c / d",
        "switch (x) { case 1: let y }",
    ] {
        assert_redeclarable(source, source);
    }
}

#[test]
fn regular_expressions_are_told_from_divisions() {
    assert_redeclarable("if (x) /[/]{/.test(y)\nlet a", "if (x) /[/]{/.test(y)\nvar a");
    assert_redeclarable("x = (1) / 2; let a = '/{'", "x = (1) / 2; var a = '/{'");
    assert_redeclarable("x = a++ / 2; let b = c[0] / d /e", "x = a++ / 2; var b = c[0] / d /e");
    assert_redeclarable("f(/(/, `}`, \"{\"); let a", "f(/(/, `}`, \"{\"); var a");
    assert_redeclarable("return_ = () => /}/ ; let a", "return_ = () => /}/ ; var a");
    assert_redeclarable("{}\n/}/.test(x)\nlet a", "{}\n/}/.test(x)\nvar a");
}

#[test]
fn templates_nest() {
    assert_redeclarable("let a = `x${ { y: `}` }.y }{`; let b", "var a = `x${ { y: `}` }.y }{`; var b");
    assert_redeclarable("`\\`${'`'}`; let a", "`\\`${'`'}`; var a");
}

#[test]
fn returns_leave_the_program() {
    assert_script("return 1", ";__program__: {{    ( 1); break __program__; }\n}");
    assert_script("if (a) return\nb", ";__program__: {if (a) { (void 0); break __program__; }\nb\n}");
    assert_script(
        "if (a) return b; else return c",
        ";__program__: {if (a) {    ( b); break __program__; } else {    ( c); break __program__; }\n}",
    );
    assert_script("return {\n  a: 1\n};", ";__program__: {{    ( {\n  a: 1\n}); break __program__; }\n}");
    assert_script(
        "return a\n  .b()\n  + c\nd()",
        ";__program__: {{    ( a\n  .b()\n  + c); break __program__; }\nd()\n}",
    );
    assert_script("{ return x }", ";__program__: {{ {    ( x); break __program__; } }\n}");
    assert_script("'use strict'\nreturn 1", "'use strict';__program__: {\n{    ( 1); break __program__; }\n}");
    assert_script(
        "const a = 1; return a // last",
        ";__program__: {var   a = 1; {    ( a); break __program__; } // last\n}",
    );
    assert_script(
        "try { return f() } finally { g() }",
        ";__program__: {try { {    ( f()); break __program__; } } finally { g() }\n}",
    );
    assert_script(
        "for (const x of y) { if (x) { return x } }",
        ";__program__: {for (const x of y) { if (x) { {    ( x); break __program__; } } }\n}",
    );
    assert_script(
        "async function f() { return 1 }\nfunction* g() {}\nreturn f()",
        ";__program__: {Object.assign(globalThis, { f, g });async function f() { return 1 }\nfunction* g() {}\n{    ( f()); break __program__; }\n}",
    );
    assert_script(
        "return a ? { b } : [\n1]\n[0]",
        ";__program__: {{    ( a ? { b } : [\n1]\n[0]); break __program__; }\n}",
    );
    assert_script(
        "switch (a) { case 1: { return b } default: return c }",
        ";__program__: {switch (a) { case 1: { {    ( b); break __program__; } } default: {    ( c); break __program__; } }\n}",
    );
}

#[test]
fn returns_of_functions_stay() {
    for source in [
        "function f() { return 1 }",
        "const f = () => { return 1 }",
        "x = { return() { return 1 }, m() { return 2 }, get a() { return 3 }, return: 4 }",
        "class A { m() { return 1 } static s() { if (x) { return 2 } } }",
        "a.return; a?.return; ({ return: 1 })",
        "[1].map(function (x) { return x })",
        "function f()\n{\n  return 1\n}",
        "new Promise((r) => { if (x) { return r() } })",
        "// return 1\n'return 2'; /return/",
        "async function f() { for await (const x of y) { return x } }",
    ] {
        assert_script(source, source);
    }
}

#[test]
fn imports_of_types_are_left_out() {
    let rewritten = |source: &str| super::without_modules(source).unwrap();
    assert_eq!(rewritten("import { a, type B, type C as D } from 'x';\na"), "var {a} = await import('x');\na");
    assert_eq!(rewritten("import type { B } from 'x';\nimport type C from 'y'; a"), "\n a");
    assert_eq!(
        rewritten("import type * as B from 'x'; import type from 'y';"),
        " var {default: type} = await import('y');"
    );
    assert_eq!(rewritten("export type A = number; export const b: A = 1;"), "type A = number; const b: A = 1;");
    assert!(super::without_modules("let a: number = 1;").is_none());
}

#[test]
fn imports_load_and_exports_declare() {
    assert_script("import fs from 'fs';\nfs", "var {default: fs} = await import('fs');\nfs");
    assert_script("import * as fs from 'fs'\nfs", "var fs = await import('fs');\nfs");
    assert_script("import a, { b as c, d } from \"x\"", "var {default: a, b: c, d} = await import(\"x\");");
    assert_script("import {\n  a,\n  b,\n} from 'x';\na", "var {a, b} = await import('x');\n\n\n\na");
    assert_script(
        "import 'x'\nimport a from 'y' with { type: 'json' };",
        "await import('x');\nvar {default: a} = await import('y');",
    );
    assert_script("export const a = 1; export default a", "var   a = 1; 0, a");
    assert_script("export default async function main() {}\nexport { a as b };", "async function main() {}\n;");
    assert_script("export class A {}", "var A = class A {};");
    assert_script("const x = await import('fs'); import.meta", "const x = await import('fs'); import.meta");
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
        let _ = (redeclarable(&source), script(&source), is_one_function(&source));
        let source = format!("let a; {source} return 1 import x from 'y'");
        let _ = (redeclarable(&source), script(&source), is_one_function(&source));
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
