//! The top level of JavaScript programs: scripts, modules, and programs of a session.

use isolette::RunOptions;
use isolette_tests::{Case, scenario};
use serde_json::json;

#[scenario(only = JavaScript, because = "Python has no sloppy mode")]
fn programs_with_imports_run_in_strict_mode(case: &Case) {
    let sandbox = case.sandbox();
    let strict = "(function () { return this === undefined; })()";
    for (program, expected) in [
        (strict.to_owned(), false),
        (format!("import 'fs';\n{strict}"), true),
        (format!("export const a = 1;\n{strict}"), true),
        (format!("import.meta.url;\n{strict}"), true),
        (format!("await import('fs');\n{strict}"), false),
        (format!("if (false) return;\n{strict}"), false),
        (format!("'use strict';\nif (false) return;\n{strict}"), true),
    ] {
        assert_eq!(sandbox.run(&program).unwrap().value, Some(json!(expected)), "{program}");
        let options = RunOptions::new().filename("program.ts");
        assert_eq!(
            sandbox.run_with(&program, options).unwrap().value,
            Some(json!(expected)),
            "{program} in TypeScript"
        );
    }
    let error = sandbox.run("import fs from 'fs';\nfs = 1").unwrap().error.unwrap();
    assert_eq!((&*error.kind, error.line), ("TypeError", Some(2)));
}

#[scenario(only = JavaScript, because = "Python runs an import where it stands")]
fn imports_are_resolved_before_the_program_runs(case: &Case) {
    let sandbox = case.sandbox();
    let late = sandbox.run("const joined = join('a', 'b');\nimport { join } from 'path';\njoined").unwrap();
    assert_eq!(late.value, Some(json!("a/b")));
    let missing = sandbox.run("\nimport { nothing } from 'fs';").unwrap().error.unwrap();
    assert_eq!((&*missing.kind, missing.line), ("SyntaxError", Some(2)));
    assert_eq!(missing.message, "The requested module 'fs' does not provide an export named 'nothing'");
}

#[scenario(only = JavaScript, because = "the names are those of Node")]
fn a_program_knows_its_file_name(case: &Case) {
    let sandbox = case.builder().temp_output().build().unwrap();
    let options = || RunOptions::new().filename("report.js");
    let result =
        sandbox.run_with("[__filename, __dirname, process.argv[1], require.main === module]", options()).unwrap();
    assert_eq!(result.value, Some(json!(["/output/report.js", "/output", "/output/report.js", true])));
    let result = sandbox.run_with("[import.meta.url, import.meta.filename, import.meta.dirname]", options()).unwrap();
    assert_eq!(result.value, Some(json!(["file:///output/report.js", "/output/report.js", "/output"])));
}

#[scenario(only = JavaScript, because = "Python has no constants")]
fn constants_stay_constant_in_a_session(case: &Case) {
    let mut session = case.sandbox().session().unwrap();
    assert!(session.run("const fixed = 1; let open = 2; class Kind {}").unwrap().success());
    for program in ["fixed = 2", "const other = 1; other = 2", "if (true) { fixed += 1; }\nreturn"] {
        assert_eq!(session.run(program).unwrap().error.unwrap().kind, "TypeError", "{program}");
    }
    for program in ["early; let early = 1", "new Early(); class Early {}"] {
        assert_eq!(session.run(program).unwrap().error.unwrap().kind, "ReferenceError", "{program}");
    }
    assert_eq!(session.run("open += fixed; [open, typeof Kind]").unwrap().value, Some(json!([3, "function"])));
}

#[scenario(only = JavaScript, because = "Python does not declare its names")]
fn session_names_can_be_declared_with_any_keyword(case: &Case) {
    let mut session = case.sandbox().session().unwrap();
    let ways = [
        "let name = 1",
        "const name = 1",
        "class name {}",
        "function name() {}",
        "var name = 1",
        "let name = 1; if (true) return name",
        "import { sep as name } from 'path'",
    ];
    for before in ways {
        for after in ways {
            assert!(session.run(before).unwrap().error.is_none(), "{before}");
            assert!(session.run(after).unwrap().error.is_none(), "{after} after {before}");
        }
    }
    session.run("let kept = 5").unwrap();
    assert_eq!(session.run("var kept; kept").unwrap().value, Some(json!(5)));
    session.run("let kept = 6").unwrap();
    assert_eq!(session.run("kept").unwrap().value, Some(json!(6)));
    let options = RunOptions::new().variable("kept", 7);
    assert_eq!(session.run_with("kept", options).unwrap().value, Some(json!(7)));
}

#[scenario(only = JavaScript, because = "Python does not declare its names")]
fn redeclaring_a_name_is_a_syntax_error(case: &Case) {
    let result = case.sandbox().run("let name = 1; (0, eval)('var name = 2')").unwrap();
    assert_eq!(result.error.unwrap().kind, "SyntaxError");
    for name in ["undefined", "NaN", "Infinity"] {
        let result = case.sandbox().run(&format!("let {name} = 1")).unwrap();
        assert_eq!(result.error.unwrap().kind, "SyntaxError", "{name}");
    }
}

#[scenario(only = JavaScript, because = "Python is not compiled from another language")]
fn errors_in_typescript_have_source_lines(case: &Case) {
    let sandbox = case.sandbox();
    let options = || RunOptions::new().filename("program.ts");
    let head =
        "import { join } from 'path';\nenum Kind {\n  A,\n  B,\n}\nnamespace Space {\n  export const a = 1;\n}\n";
    for (body, line, column) in [
        ("const unset: Kind | null = null;\nunset!.toFixed();", 10, 8),
        (
            "class Point {\n  constructor(\n    public x: number,\n  ) {\n    throw new Error('no');\n  }\n}\nnew Point(1);",
            13,
            11,
        ),
        ("function fail(kind: Kind): never {\n\n  throw new TypeError(`${kind}`);\n}\nfail(Kind.B);", 11, 9),
        ("const text = `\n\n${Kind.A}`;\ntext.missing();", 12, 6),
    ] {
        let error = sandbox.run_with(&format!("{head}{body}"), options()).unwrap().error.unwrap();
        assert_eq!(error.line, Some(line), "{body}\n{}", error.traceback);
        let place = format!("program.ts:{line}:{column}");
        assert!(error.traceback.contains(&place), "{place} is not in {}", error.traceback);
    }
    let error = sandbox.run_with(&format!("{head}let = = 1"), options()).unwrap().error.unwrap();
    assert_eq!((&*error.kind, error.line), ("SyntaxError", Some(9)));
    // The lines of a later program with the same name are not mapped if it needs no compiler.
    let mut session = sandbox.session().unwrap();
    session.run_with(&format!("{head}Kind"), options()).unwrap();
    let error = session.run_with("const a: number = 1;\nthrow new Error('no')", options()).unwrap().error.unwrap();
    assert_eq!(error.line, Some(2));
}

#[scenario(only = JavaScript, because = "the modules are those of Node")]
fn importing_an_unavailable_module_gives_a_hint(case: &Case) {
    let sandbox = case.sandbox();
    for name in ["child_process", "node:net", "worker_threads", "http", "express", "zlib", "vm"] {
        for program in [format!("require('{name}')"), format!("import '{name}'"), format!("await import('{name}')")] {
            let error = sandbox.run(&program).unwrap().error.unwrap();
            let bare = name.trim_start_matches("node:");
            let reported = [name, bare].map(|name| format!("Cannot find module '{name}'\nhint: "));
            assert!(reported.iter().any(|reported| error.message.starts_with(reported)), "{}", error.message);
        }
    }
    for program in ["require('./helper')", "import './helper'", "await import('./helper')"] {
        let message = sandbox.run(program).unwrap().error.unwrap().message;
        assert!(
            message.starts_with("Cannot find module") && message.contains("\nhint: there is no /tmp/helper"),
            "{message}"
        );
    }
}

#[scenario(only = JavaScript, because = "the functions are those of Node")]
fn relative_paths_start_in_a_writable_directory(case: &Case) {
    let program = "require('fs').writeFileSync('made.txt', 'content'); \
                   [process.cwd(), require('path').resolve('x'), require('fs').readFileSync('./made.txt', 'utf8')]";
    let with_output = case.builder().temp_output().build().unwrap().run(program).unwrap();
    assert_eq!(with_output.value, Some(json!(["/output", "/output/x", "content"])));
    assert_eq!(with_output.files.len(), 1);
    let without = case.sandbox().run(program).unwrap();
    assert_eq!(without.value, Some(json!(["/tmp", "/tmp/x", "content"])));
}

#[scenario(only = JavaScript, because = "Python has no types to remove")]
fn a_javascript_program_with_types_is_run_as_typescript(case: &Case) {
    let sandbox = case.sandbox();
    for (program, expected) in [
        ("const f = async (n: number) => n * 2; await f(4)", json!(8)),
        ("enum E { A = 1, B }\nE.B", json!(2)),
        ("import { join as j, type ParsedPath } from 'path';\nj('a', 'b') as string", json!("a/b")),
        ("class A { constructor(private readonly x = 3) {} get y(): number { return this.x } }\nnew A().y", json!(3)),
        ("let result: number = 5;", json!(5)),
        ("return [1 satisfies number]", json!([1])),
        ("class A { override\nreadonly\nx = 1 }\nObject.keys(new A())", json!(["override", "readonly", "x"])),
        ("let namespace = 1\nnamespace\nlet module: number = 2\nmodule", json!(2)),
    ] {
        let result = sandbox.run(program).unwrap();
        assert!(result.error.is_none(), "{program}: {:?}", result.error);
        assert_eq!(result.value, Some(expected), "{program}");
    }
    let error = sandbox.run("const a: number = 1;\n\nenum E { A }\nnull.b;").unwrap().error.unwrap();
    assert_eq!((&*error.kind, error.line), ("TypeError", Some(4)));
    // What is neither of both has the error of JavaScript.
    for program in ["const = 1;", "const a: number = ;", "f("] {
        let error = sandbox.run(program).unwrap().error.unwrap();
        assert_eq!(error.kind, "SyntaxError", "{program}");
    }
    let error = sandbox.run("const a: number = ;").unwrap().error.unwrap();
    assert_eq!(error.message, "missing initializer for variable");
    let sum = "1 + ".repeat(20_000);
    assert_eq!(sandbox.run(&format!("let x: number = {sum}1; x")).unwrap().value, Some(json!(20_001)));
    for program in [format!("enum E {{ A = {sum}1 }}"), format!("enum E {{ A }}\nlet x: number = {sum}1")] {
        assert_eq!(sandbox.run(&program).unwrap().error.unwrap().kind, "SyntaxError");
    }
    let mut session = sandbox.session().unwrap();
    assert!(session.run("enum E { A = 4 }\nlet f: (x: number) => number = (x) => x * E.A").unwrap().success());
    assert_eq!(session.run("f(2)").unwrap().value, Some(json!(8)));
    assert_eq!(session.run("f(3 as number)").unwrap().value, Some(json!(12)));
    let error = session.run("\nnull.a").unwrap().error.unwrap();
    assert_eq!(error.line, Some(2), "positions of an earlier program are not used");
}

#[scenario(only = JavaScript, because = "Python finds modules by sys.path")]
fn a_program_loads_its_own_files(case: &Case) {
    let sandbox = case.builder().temp_output().build().unwrap();
    let mut session = sandbox.session().unwrap();
    let write = "const fs = require('fs');
        fs.writeFileSync('helper.js', 'exports.n = 1;');
        fs.writeFileSync('helper.mjs', 'export const n = 1;');
        fs.writeFileSync('typed.ts', 'import { n } from \"./helper.mjs\"; import { T } from \"./types.ts\"; export enum E { A = 3 } export const m: T = n + E.A;');
        fs.writeFileSync('types.ts', 'export type T = number;');
        fs.writeFileSync('common.cts', 'module.exports = (x: number): number => x + 1;');";
    assert!(session.run(write).unwrap().success());
    for (program, expected) in [
        ("require('./helper').n", json!(1)),
        ("require('/output/helper.js') === require('./helper.js')", json!(true)),
        ("import { n } from './helper.mjs'; n", json!(1)),
        ("import * as all from './helper.mjs'; Object.keys(all)", json!(["n"])),
        ("(await import('./typed.ts')).m", json!(4)),
        ("import { m } from './typed'; m", json!(4)),
        ("require('./common.cts')(1)", json!(2)),
        ("require('./helper.mjs').n", json!(1)),
        ("module.children.length", json!(0)),
    ] {
        let result = session.run(program).unwrap();
        assert!(result.error.is_none(), "{program}: {:?}", result.error);
        assert_eq!(result.value, Some(expected), "{program}");
    }
    // A later run finds what the files contain then.
    let rewrite = "fs.writeFileSync('helper.js', 'exports.n = 20;'); fs.writeFileSync('helper.mjs', 'export const n = 20;'); [require('./helper').n]";
    assert_eq!(session.run(rewrite).unwrap().value, Some(json!([20])));
    let again = session.run("[require('./helper').n, (await import('./helper.mjs')).n]").unwrap();
    assert_eq!(again.value, Some(json!([20, 20])));

    for program in ["require('./none')", "import './none.mjs'", "await import('./none.mjs')", "require('/none.json')"] {
        let error = session.run(program).unwrap().error.unwrap();
        assert!(error.message.starts_with("Cannot find module '"), "{program}: {}", error.message);
        assert!(error.message.contains("\nhint: there is no /"), "{program}: {}", error.message);
    }
    let throwing = "fs.writeFileSync('throws.js', '\\n\\nnull.x;');\nrequire('./throws');";
    let error = session.run(throwing).unwrap().error.unwrap();
    assert_eq!((&*error.kind, error.line), ("TypeError", Some(2)));
    assert!(error.traceback.starts_with("/output/throws.js:3\nnull.x;\n"), "{}", error.traceback);
    let large = "fs.writeFileSync('large.js', '/' + '/'.repeat(5 << 20)); require('./large')";
    assert!(session.run(large).unwrap().error.unwrap().message.contains("a module can have 4194304"));
    let deep = "for (let i = 0; i < 200; i++) fs.writeFileSync(`deep${i}.js`, `require('./deep${i + 1}')`);
        try { require('./deep0') } catch (error) { `${error.name}: ${error.message}` }";
    let caught = session.run(deep).unwrap().value.unwrap();
    assert!(caught.as_str().unwrap().starts_with("RangeError: "), "{caught}");
    assert_eq!(session.run("1 + 1").unwrap().value, Some(json!(2)));
}
