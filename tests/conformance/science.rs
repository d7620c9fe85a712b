//! numpy in the image `python-science`: programs as models write them for the analysis of data, below `guests/science`.
//!
//! Each prints on every engine what is committed beside it, and the same in CPython with the same numpy, where that is installed.

use std::{collections::BTreeSet, fs, path::PathBuf};

use isolette::{Isolation, Language, Sandbox, SandboxBuilder, Tool};
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

fn builder(case: &Case) -> Result<SandboxBuilder, Skipped> {
    let image = image_named("python-science");
    if !image.join("image.json").exists() {
        return Err(Skipped("`cargo xtask image build --name python-science` has not made the image".into()));
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
    Ok(())
}

fn compare_native(program: &str) -> Result<(), Skipped> {
    if engines::emulated() {
        return Err(Skipped("numpy crashes on the emulated processor".into()));
    }
    let stdout = native::with_numpy(&file(program, "py"))?;
    similar_asserts::assert_eq!(expected: fs::read_to_string(file(program, "out")).unwrap(), native: stdout);
    Ok(())
}

fn value(sandbox: &Sandbox, program: &str) -> (Option<Value>, bool) {
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
