//! Texts of models that are not only a program: Markdown around it, and lines for notebooks and shells.

use isolette_tests::{Case, scenario};
use serde_json::{Value, json};

#[scenario]
fn a_program_is_found_in_markdown(case: &Case) {
    let sandbox = case.sandbox();
    let [tag, other] = case.pick(["python", "py"], ["javascript", "js"]);
    let three = case.pick("x = '''\n```\na\n```\n'''\nlen(x)", "x = `\n\\`\\`\\`\na\n\\`\\`\\`\n`; x.length");
    let raw = case.pick("x = '''\n```\n'''\nlen(x)", "x = `\n``;\n`; x.length");
    for (text, expected) in [
        (format!("```{tag}\n6 * 7\n```"), json!(42)),
        (format!("````{tag}\n{three}\n````\n"), json!(11)),
        (format!("Like this:\n\n~~~~{tag}\n{three}\n~~~~\n"), json!(11)),
        (format!("Here is the program:\n```{tag}\n6 * 7\n```\nIt's done. `x` isn't used.\n"), json!(42)),
        (format!("  ```{other}\n  a = 6\n  a * 7\n  ```\n"), json!(42)),
        (format!("1. First:\n   ```{tag}\n   a = 6\n   a * 7\n   ```\n2. Then (don't).\n"), json!(42)),
        (format!("```bash\npip install x\n```\nand\n```{tag}\n6 * 7\n```\nprints\n```\n42 or so\n```"), json!(42)),
        (format!("One:\n```{tag}\na = 6\n```\nTwo:\n```{other}\na * 7\n```"), json!(42)),
        ("So:\n```\n6 * 7\n```".to_owned(), json!(42)),
        (format!("That's it:\n```{}\n6 * 7", tag.to_uppercase()), json!(42)),
        ("```6 * 7```".to_owned(), json!(42)),
    ] {
        let result = sandbox.run(&text).unwrap();
        assert_eq!(result.value, Some(expected), "{text}\n{:?}", result.error);
    }
    // A text that is valid is what it is.
    if case.pick(true, false) {
        assert_eq!(sandbox.run(raw).unwrap().value, Some(json!(5)));
        assert_eq!(sandbox.run("s = '''\n```python\n1\n```\n'''\nlen(s)").unwrap().value, Some(json!(17)));
        assert_eq!(sandbox.run("~~~5").unwrap().value, Some(json!(-6)));
    }
}

#[scenario]
fn errors_in_markdown_have_the_lines_of_the_text(case: &Case) {
    let sandbox = case.sandbox();
    let tag = case.pick("python", "js");
    let failing = case
        .pick("def f():\n    raise ValueError('no')\n\nf()", "function f() {\n  throw new TypeError('no');\n}\nf()");
    let error = sandbox.run(&format!("So:\n\n```{tag}\n{failing}\n```\nDone.")).unwrap().error.unwrap();
    assert_eq!((&*error.message, error.line), ("no", case.pick(Some(5), Some(5))));
    let wrong = sandbox.run(&format!("It's so:\n```{tag}\nx = = 1\n```\nDone.")).unwrap().error.unwrap();
    assert_eq!((&*wrong.kind, wrong.line), ("SyntaxError", Some(3)), "{}", wrong.traceback);
}

#[scenario]
fn a_text_without_one_certain_program_is_an_error(case: &Case) {
    let sandbox = case.sandbox();
    for text in
        ["It's so:\n```\n1\n```\nor\n```\n2\n```", "It's so:\n```ruby\nputs 1\n```", "It's so, `1`.", "It's `1 ``` so"]
    {
        let result = sandbox.run(text).unwrap();
        assert_eq!((result.value, &*result.error.unwrap().kind), (None, "SyntaxError"), "{text}");
    }
}

#[scenario(only = Python, because = "a program in JavaScript is not read for what is outside of its blocks")]
fn code_outside_of_code_blocks_is_not_lost(case: &Case) {
    let sandbox = case.sandbox();
    for text in [
        "import os\nos.remove('a')\n\n```python\nprint(1)\n```",
        "```python\na = 1\n```\nb = 2\n```python\nprint(a)\n```",
    ] {
        let result = sandbox.run(text).unwrap();
        let error = result.error.unwrap();
        assert_eq!((&*error.kind, &*result.stdout), ("SyntaxError", ""), "{text}");
        assert!(error.message.contains("outside of the code block"), "{}", error.message);
    }
    assert_eq!(sandbox.run("a = 5\na + 1\n```\n").unwrap().value, Some(json!(6)));
}

#[scenario]
fn commands_of_notebooks_and_shells_get_hints(case: &Case) {
    let sandbox = case.sandbox();
    let python = [
        ("!ls", "os.listdir"),
        ("!ls -la /tmp", "os.listdir"),
        ("files = !ls", "os.listdir"),
        ("!pip install seaborn", "cannot be installed"),
        ("%pip install -q seaborn==0.13", "cannot be installed"),
        ("pip install seaborn", "cannot be installed"),
        ("!python -m pip install 'seaborn", "cannot be installed"),
        ("!pip install requests", "leave the line out"),
        ("!apt-get install -y jq", "cannot be installed"),
        ("python script.py", "runpy.run_path('script.py'"),
        ("!python3 script.py --now", "runpy.run_path('script.py'"),
        ("x = 1\n%timeit x + 1", "timeit.timeit"),
        ("%%timeit\nsum(range(9))", "timeit.timeit"),
        ("%%bash\necho it's", "there is no shell"),
        ("%%writefile a.py\nx = 1", "open(path, 'w')"),
        ("%run a.py", "runpy.run_path"),
        ("%cd /tmp", "os.chdir"),
        ("len?", "help(len)"),
        ("if True:\n    !mkdir a", "os.makedirs"),
        ("cat a.txt", "open(path).read()"),
        ("!curl https://example.com", "requests.get"),
        ("get_ipython().system('ls')", "not IPython"),
        ("ls -la", "os.listdir"),
        ("%matplotlib inline\n!ls", "os.listdir"),
        ("```python\n!ls\n```", "os.listdir"),
    ];
    let javascript = [
        ("!ls", "fs.readdirSync"),
        ("!ls -la /tmp", "fs.readdirSync"),
        ("npm install left-pad", "cannot be installed"),
        ("!npm install left-pad", "cannot be installed"),
        ("const a = 1;\nnpm install left-pad\na", "cannot be installed"),
        ("pip install x", "cannot be installed"),
        ("node script.js", "there is no shell"),
        ("%%time\n1", "leave the line out"),
        ("```js\n!cat a.txt\n```", "fs.readFileSync"),
        ("curl https://example.com", "use fetch"),
    ];
    for (text, hint) in case.pick(&python[..], &javascript[..]) {
        let result = sandbox.run(text).unwrap();
        let error = result.error.unwrap_or_else(|| panic!("{text}"));
        assert!(["SyntaxError", "NameError", "ReferenceError"].contains(&&*error.kind), "{text}: {}", error.kind);
        let (_, found) = error.message.split_once("\nhint: ").unwrap_or_else(|| panic!("{text}: {}", error.message));
        assert!(found.contains(hint), "{text}: {found}");
        assert!(error.traceback.contains(found), "{text}: {}", error.traceback);
        let line = text.lines().position(|line| line.contains('!') || line.contains("npm")).map(|line| line as u32 + 1);
        if error.kind == "SyntaxError" && line.is_some() {
            assert_eq!(error.line, line, "{text}");
        }
    }
}

#[scenario(only = Python, because = "the commands are those of IPython")]
fn commands_without_influence_are_left_out_with_a_note(case: &Case) {
    let sandbox = case.sandbox();
    for (text, expected, noted) in [
        ("%matplotlib inline\n6 * 7", json!(42), 1),
        ("%load_ext autoreload\n%autoreload 2\n6 * 7", json!(42), 2),
        ("%config InlineBackend.figure_format = 'retina'\nresult = 42", json!(42), 1),
        ("%%time\n6 * 7", json!(42), 1),
        ("%time x = 6 * 7\nx", json!(42), 1),
        ("x = %time 6 * 7\nx", json!(42), 1),
        ("if True:\n    %matplotlib inline\n6 * 7", json!(42), 1),
        ("6 * 7\n%matplotlib inline", json!(42), 1),
        ("s = '''\n%matplotlib inline\n!ls\n'''\n%matplotlib inline\nlen(s)", json!(24), 1),
        ("x = (84\n%matplotlib\n)\n", Value::Null, 0),
    ] {
        let text = if noted == 0 { format!("matplotlib = 43\n{text}x + 1") } else { text.to_owned() };
        let expected = if noted == 0 { json!(42) } else { expected };
        let result = sandbox.run(&text).unwrap();
        assert_eq!(result.value, Some(expected), "{text}: {:?}", result.error);
        assert_eq!(result.stderr.matches("note: line ").count(), noted, "{text}: {}", result.stderr);
    }
    let notes = sandbox.run("x = 1\n%matplotlib inline\n").unwrap().stderr;
    assert_eq!(notes, "note: line 2: `%matplotlib inline` is ignored, because this is not a notebook\n");
    // Valid Python is not touched.
    for (text, expected) in
        [("a = 10\npip = 4\na %pip", json!(2)), ("ls = 5\nla = 2\nls -la", json!(3)), ("(10\n%4)", json!(2))]
    {
        assert_eq!(sandbox.run(text).unwrap().value, Some(expected), "{text}");
    }
}
