//! Packages with compiled code beside numpy and pandas, and wheels that were compiled elsewhere.

use isolette_tests::{Case, Skipped, scenario};
use serde_json::json;

use crate::science::{builder, builder_with, value};

#[scenario(only = Python, because = "it has extension modules")]
fn a_wheel_that_was_compiled_elsewhere_is_taken_as_it_is(case: &Case) -> Result<(), Skipped> {
    let sandbox = builder_with(case, "science-tests")?.build().unwrap();
    let program = "import counting
try:
    counting.steps('x')
except TypeError as error:
    print(error)
[counting.steps(6), counting.steps(27)]";
    let result = sandbox.run(program).unwrap();
    assert_eq!((result.error, result.value), (None, Some(json!([8, 111]))));
    assert_eq!(result.stdout, "'str' object cannot be interpreted as an integer\n");
    Ok(())
}

#[scenario(only = Python, because = "it has pandas")]
fn packages_beside_pandas_work(case: &Case) -> Result<(), Skipped> {
    let sandbox = builder(case)?.temp_output().build().unwrap();
    let program = r#"import io, jinja2, markupsafe._speedups, yaml, pandas as pd
frame = pd.DataFrame({"n": [1, 2], "s": ["x", "é"]})
frame.to_excel("/output/t.xlsx", index=False)
html = "<table><tr><th>n</th><th>s</th></tr><tr><td>1</td><td>x</td></tr><tr><td>2</td><td>é</td></tr></table>"
[
    pd.read_excel("/output/t.xlsx").equals(frame),
    pd.read_html(io.StringIO(html))[0].equals(frame),
    frame.style.set_caption("A caption").to_html().count("<td"),
    jinja2.Template("{% for n in names %}<{{ n|e }}>{% endfor %}").render(names=["a", "&"]),
    yaml.load("a: [1, 2.5, {b: null}]", Loader=yaml.CSafeLoader),
    frame.to_markdown(index=False).splitlines()[2],
]"#;
    let expected = json!([true, true, 4, "<a><&amp;>", {"a": [1, 2.5, {"b": null}]}, "|   1 | x   |"]);
    assert_eq!(value(&sandbox, program), (Some(expected), true));
    Ok(())
}

#[scenario(only = Python, because = "it has regex and ujson")]
fn packages_made_of_lists_of_sources_work(case: &Case) -> Result<(), Skipped> {
    let sandbox = builder_with(case, "science-tests")?.build().unwrap();
    let program = r#"import pickle, regex, ujson
match = regex.match(r"(?P<a>\w)+", "abc")
errors = []
for work in (lambda: regex.compile("("), lambda: ujson.loads("{"), lambda: ujson.dumps({1j}), lambda: ujson.loads("[" * 10**5)):
    try:
        work()
    except Exception as error:
        errors.append(type(error).__name__)
[
    regex.findall(r"(?i)\b(\p{L}+)(?<=n)\b", "Isolation kernel Öffnen x"),
    regex.fullmatch(r"(?:cats|dog){e<=1}", "cat").fuzzy_counts,
    match.capturesdict(),
    match.allcaptures(),
    match.allspans(),
    dict(match.re.groupindex),
    pickle.loads(pickle.dumps(regex.compile("a+"))).match("aa").span(),
    ujson.loads(ujson.dumps({"a": [1, 2.5, None, True, "é"], "b": {"c": 12345678901234567890}})),
    errors,
]"#;
    let expected = json!([
        ["Isolation", "Öffnen"],
        [0, 0, 1],
        {"a": ["a", "b", "c"]},
        [["abc"], ["a", "b", "c"]],
        [[[0, 3]], [[0, 1], [1, 2], [2, 3]]],
        {"a": 1},
        [0, 2],
        {"a": [1, 2.5, null, true, "é"], "b": {"c": 12_345_678_901_234_567_890_u64}},
        ["error", "JSONDecodeError", "TypeError", "JSONDecodeError"],
    ]);
    assert_eq!(value(&sandbox, program), (Some(expected), true));
    Ok(())
}

#[scenario(only = Python, because = "it has pandas")]
fn packages_that_are_missing_give_hints(case: &Case) -> Result<(), Skipped> {
    let sandbox = builder(case)?.build().unwrap();
    for (program, expected) in [
        ("import pandas as pd; pd.read_feather('a')", "hint: pyarrow is compiled code"),
        ("import unheard_of", "hint: this image contains the standard library, requests, httpx, PIL, bs4, contourpy, "),
    ] {
        let error = sandbox.run(program).unwrap().error.unwrap();
        assert!(error.message.contains(expected), "{program}: {}", error.message);
    }
    Ok(())
}
