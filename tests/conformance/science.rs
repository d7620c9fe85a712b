//! numpy and pandas in the image `python-science`: programs as models write them for the analysis of data, below `guests/science`.
//!
//! Each prints on every engine what is committed beside it, and the same in CPython with the same packages, where these are
//! installed.

use std::{collections::BTreeSet, fs, path::PathBuf, time::Duration};

use isolette::{Error, Isolation, Language, Sandbox, SandboxBuilder, Tool};
use isolette_tests::{
    Case, Outcome as _, Skipped, engines, every_file, guests, libtest_mimic::Trial, native, on_engine, report, scenario,
};
use serde_json::{Value, json};

use crate::components::image_named;

const FOLDER: &str = "science";

/// One test for every program and engine, and one for what it prints outside of the sandbox.
pub(crate) fn trials() -> Vec<Trial> {
    let files = every_file::files(&guests::folder().join(FOLDER)).into_iter();
    let names: BTreeSet<_> = files.map(|file| file.with_extension("").to_string_lossy().into_owned()).collect();
    let mut trials = Vec::new();
    for name in names {
        for isolation in engines::ALL {
            let (program, case) = (name.clone(), Case::new(Language::Python, isolation));
            trials.push(on_engine(format!("science::{name}::python::{isolation}"), case, move |case| {
                compare(case, &program)
            }));
        }
        trials.push(report::trial(format!("science::{name}::native"), move || compare_native(&name).completion()));
    }
    trials
}

fn file(program: &str, ending: &str) -> PathBuf {
    guests::folder().join(FOLDER).join(format!("{program}.{ending}"))
}

pub(crate) fn builder(case: &Case) -> Result<SandboxBuilder, Skipped> {
    builder_with(case, "python-science")
}

pub(crate) fn builder_with(case: &Case, image: &str) -> Result<SandboxBuilder, Skipped> {
    let missing = format!("`cargo xtask image build --name {image}` has not made the image");
    let image = image_named(image);
    if !image.join("image.json").exists() {
        return Err(Skipped(missing));
    }
    Ok(Sandbox::builder().image(image).isolation(case.isolation).limits(case.limits()))
}

fn compare(case: &Case, program: &str) -> Result<(), Skipped> {
    let sandbox = builder(case)?.temp_output().build().unwrap();
    let result = sandbox.run(&fs::read_to_string(file(program, "py")).unwrap()).unwrap();
    if let Some(error) = &result.error {
        panic!("{}\nstdout was:\n{}", error.traceback, result.stdout);
    }
    similar_asserts::assert_eq!(expected: fs::read_to_string(file(program, "out")).unwrap(), found: result.stdout);
    assert_eq!(result.stderr, "", "a program of these has no warnings");
    Ok(())
}

fn compare_native(program: &str) -> Result<(), Skipped> {
    if engines::emulated() {
        return Err(Skipped("numpy crashes on the emulated processor".into()));
    }
    let stdout = native::with_packages(&file(program, "py"))?;
    similar_asserts::assert_eq!(expected: fs::read_to_string(file(program, "out")).unwrap(), native: stdout);
    Ok(())
}

pub(crate) fn value(sandbox: &Sandbox, program: &str) -> (Option<Value>, bool) {
    let result = sandbox.run(program).unwrap();
    assert!(result.error.is_none(), "{program}: {:?}", result.error);
    (result.value, result.value_exact)
}

#[scenario(only = Python, because = "it has numpy")]
fn numbers_and_arrays_are_values(case: &Case) -> Result<(), Skipped> {
    let sandbox = builder(case)?.build().unwrap();
    for (program, expected) in [
        ("np.arange(6).reshape(2, 3)", json!([[0, 1, 2], [3, 4, 5]])),
        (
            "{'n': np.int64(3), 'x': np.float32(0.5), 'b': np.bool_(True), 'l': [np.uint8(7)]}",
            json!({"n": 3, "x": 0.5, "b": true, "l": [7]}),
        ),
        ("np.array(['a', 'b'])", json!(["a", "b"])),
        ("np.array([{'a': np.int32(1)}, None], dtype=object)", json!([{"a": 1}, null])),
        ("np.float64(1) / 3", json!(1.0 / 3.0)),
        ("np.array(5)", json!(5)),
    ] {
        assert_eq!(value(&sandbox, &format!("import numpy as np\n{program}")), (Some(expected), true), "{program}");
    }
    for (program, expected) in [
        ("np.array([1, np.nan])", "array([ 1., nan])"),
        ("np.zeros(1_000_000)", "array([0., 0., 0., ..., 0., 0., 0.], shape=(1000000,))"),
        (
            "np.array([(1, 2.0)], dtype=[('a', 'i4'), ('b', 'f8')])",
            "array([(1, 2.)], dtype=[('a', '<i4'), ('b', '<f8')])",
        ),
        ("np.complex128(1 + 2j)", "np.complex128(1+2j)"),
        ("np.datetime64('2024-02-29')", "np.datetime64('2024-02-29')"),
        ("a = np.empty(1, dtype=object); a[0] = a; a", "array([array(..., dtype=object)], dtype=object)"),
    ] {
        let found = value(&sandbox, &format!("import numpy as np\n{program}"));
        assert_eq!(found, (Some(json!(expected)), false), "{program}");
    }
    Ok(())
}

#[scenario(only = Python, because = "it has pandas")]
fn tables_are_values(case: &Case) -> Result<(), Skipped> {
    let sandbox = builder(case)?.build().unwrap();
    for (program, expected, exact) in [
        ("pd.DataFrame({'a': [1, 2], 'b': ['x', None]})", json!([{"a": 1, "b": "x"}, {"a": 2, "b": null}]), true),
        (
            "pd.DataFrame({'a': [0.5, None]}, index=['r', 's'])",
            json!([{"index": "r", "a": 0.5}, {"index": "s", "a": null}]),
            true,
        ),
        ("pd.DataFrame({'k': ['u', 'u', 'v'], 'n': [1, 2, 3]}).groupby('k')['n'].sum()", json!({"u": 3, "v": 3}), true),
        ("pd.DataFrame({'k': [7, 7], 'n': [1, 2]}).groupby('k')['n'].sum()", json!([{"k": 7, "n": 3}]), true),
        ("pd.Series([True, False])", json!([true, false]), true),
        ("pd.Index(['a', 'b'])", json!(["a", "b"]), true),
        ("pd.array([1, None], dtype='Int64')", json!([1, null]), true),
        ("{'t': pd.DataFrame({'a': [np.int8(1)]})}", json!({"t": [{"a": 1}]}), true),
        ("pd.DataFrame()", json!([]), true),
        (
            "pd.DataFrame({'d': [pd.Timestamp('2024-02-29')], 'p': [pd.Timedelta(hours=1)]})",
            json!([{"d": "2024-02-29T00:00:00", "p": "P0DT1H0M0S"}]),
            false,
        ),
        ("pd.DataFrame({1: [2]})", json!([{"1": 2}]), false),
        ("pd.DataFrame([[1, 2]], columns=['a', 'a'])", json!("   a  a\n0  1  2"), false),
        ("pd.Series([np.inf])", json!("0    inf\ndtype: float64"), false),
        ("pd.Timestamp('2024-02-29')", json!("Timestamp('2024-02-29 00:00:00')"), false),
    ] {
        let found = value(&sandbox, &format!("import numpy as np, pandas as pd\n{program}"));
        assert_eq!(found, (Some(expected), exact), "{program}");
    }
    let (large, exact) = value(&sandbox, "import pandas as pd\npd.DataFrame({'a': range(100_001)})");
    assert!(!exact && large.unwrap().as_str().unwrap().ends_with("[100001 rows x 1 columns]"));
    Ok(())
}

#[scenario(only = Python, because = "it has pandas")]
fn a_limit_of_256_mib_leaves_150_for_tables(case: &Case) -> Result<(), Skipped> {
    let mut limits = case.limits();
    limits.memory = 256 << 20;
    let sandbox = builder(case)?.limits(limits).build().unwrap();
    let program = "import numpy as np, pandas as pd
frame = pd.DataFrame({'a': np.ones(150 << 17)}, copy=False)
names = []
for work in (
    lambda: pd.DataFrame({'a': range(10**9)}),
    lambda: frame.merge(frame, how='cross'),
    lambda: pd.concat([frame] * 10),
    lambda: pd.date_range('2000', periods=10**8, freq='s'),
    lambda: frame.rolling(10**6).mean(),
    lambda: pd.Series(['x' * 1000]).repeat(10**6).str.upper(),
):
    try:
        work()
        names.append('fits')
    except Exception as error:
        names.append(type(error).__name__)
[names, float(frame['a'].to_numpy().sum())]";
    let expected = json!([vec!["MemoryError"; 6], f64::from(150 << 17)]);
    assert_eq!(value(&sandbox, program), (Some(expected), true));
    Ok(())
}

#[scenario(only = Python, because = "it has numpy")]
fn copies_of_a_program_share_no_random_numbers(case: &Case) -> Result<(), Skipped> {
    const DRAW: &str = "import numpy as np\n[np.random.random(), np.random.default_rng().random()]";
    let sandbox = builder(case)?.build().unwrap();
    let mut drawn: Vec<Value> = (0..4).map(|_| value(&sandbox, DRAW).0.unwrap()).collect();
    let mut session = sandbox.session().unwrap();
    session.run(DRAW).unwrap();
    // In the process itself, sessions cannot be forked.
    if case.isolation != Isolation::Wasm {
        for mut fork in session.fork(3).unwrap() {
            drawn.push(fork.run(DRAW).unwrap().value.unwrap());
        }
    }
    drawn.push(session.run(DRAW).unwrap().value.unwrap());
    let numbers: Vec<_> = drawn.iter().flat_map(|pair| pair.as_array().unwrap()).map(ToString::to_string).collect();
    assert_eq!(numbers.iter().collect::<BTreeSet<_>>().len(), numbers.len(), "{numbers:?}");
    Ok(())
}

#[scenario(only = Python, because = "it has numpy")]
fn arrays_that_do_not_fit_are_memory_errors(case: &Case) -> Result<(), Skipped> {
    let mut limits = case.limits();
    limits.memory = 256 << 20;
    let sandbox = builder(case)?.limits(limits).build().unwrap();
    let program = "import numpy as np
kept = np.ones(150 << 17)
names = []
for work in (
    lambda: np.ones(100 << 20),
    lambda: np.zeros((100_000, 100_000)),
    lambda: np.arange(10**11),
    lambda: np.zeros(10**15),
    lambda: np.ones((1 << 16, 1 << 16), dtype=np.int8),
    lambda: np.fft.fft(np.ones(3 << 20)),
    lambda: np.broadcast_to(1.0, (1 << 30,)).copy(),
    lambda: np.random.default_rng().random(1 << 28),
    lambda: np.eye(20_000) @ np.eye(20_000),
):
    try:
        work()
        names.append('fits')
    except BaseException as error:
        names.append(type(error).__mro__[-4].__name__ if type(error) is not MemoryError else 'MemoryError')
[names, float(kept.sum())]";
    let expected = json!([vec!["MemoryError"; 9], f64::from(150 << 17)]);
    assert_eq!(value(&sandbox, program), (Some(expected), true));
    Ok(())
}

#[scenario(only = Python, because = "it has numpy")]
fn long_computations_end_with_their_limit(case: &Case) -> Result<(), Skipped> {
    let mut limits = case.limits();
    limits.timeout = Duration::from_millis(300);
    limits.memory = 1 << 30;
    let sandbox = builder(case)?.limits(limits).build().unwrap();
    for program in [
        "a = np.ones((4000, 4000)); [a @ a for _ in range(1000)]",
        "a = np.random.default_rng(1).random(10_000_000); [np.sort(a) for _ in range(1000)]",
        "[np.linalg.svd(np.ones((1500, 1500))) for _ in range(100)]",
        "pd.Series(['a' * 40 + 'b']).str.contains('(a+)+$')",
        "[pd.DataFrame({'a': range(10**6)}).groupby('a').sum() for _ in range(1000)]",
    ] {
        let error = sandbox.run(&format!("import numpy as np, pandas as pd\n{program}")).unwrap_err();
        assert!(matches!(error, Error::Timeout { .. }), "{program}: {error:?}");
    }
    Ok(())
}

#[scenario(only = Python, because = "it has numpy")]
fn tools_take_numbers_and_arrays(case: &Case) -> Result<(), Skipped> {
    let schema = json!({"type": "object"});
    let echo = Tool::from_schema("echo", "Returns its arguments", schema, Ok::<_, String>).unwrap();
    let sandbox = builder(case)?.tool(echo).build().unwrap();
    let program = "import numpy as np\ncall_tool('echo', n=np.int64(2), values=np.arange(3))";
    assert_eq!(value(&sandbox, program), (Some(json!({"n": 2, "values": [0, 1, 2]})), true));
    Ok(())
}

#[scenario(only = Python, because = "it has numpy")]
fn indices_beyond_32_bits_are_errors(case: &Case) -> Result<(), Skipped> {
    let sandbox = builder(case)?.build().unwrap();
    let program = "import numpy as np
a, names = np.arange(5), []
for work in (
    lambda index: a[index],
    lambda index: a.take(index),
    lambda index: a.__setitem__(index, 7),
    lambda index: a[index.astype('>i8')],
    lambda index: a[index.astype('u8')],
):
    try:
        names.append(str(work(np.array([2**32 + 1]))))
    except IndexError as error:
        names.append(str(error))
[names, a[np.array([3])], a.take(np.array([-1]))]";
    let message = "an index is out of bounds: it does not fit in 32 bits";
    assert_eq!(value(&sandbox, program), (Some(json!([vec![message; 5], [3], [4]])), true));
    Ok(())
}
