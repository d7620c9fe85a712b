//! numpy's own tests, each file as one program in a sandbox of an image with numpy, pytest and numpy's modules for tests.

use std::{collections::BTreeMap, sync::OnceLock, time::Duration};

use isolette::{Image, Isolation, Language, Sandbox, policy::Access};
use isolette_tests::{Case, Outcome as _, Skipped, every_file, libtest_mimic::Trial, report};
use serde_json::{Value, json};

use crate::{differences::Differences, downloaded, folder};

/// The timeout of a file, of which most take less than a second.
const TIME: Duration = Duration::from_secs(240);

const MEMORY: u64 = 1500 << 20;

/// Files below these folders are about compilers, type checkers and installers.
const LEFT_OUT: [&str; 4] = ["numpy/f2py/", "numpy/typing/", "numpy/_pyinstaller/", "numpy/_core/src/"];

pub(crate) fn trials() -> Vec<Trial> {
    let sources = downloaded("numpy");
    if !sources.is_dir() {
        let skipped = || Err::<(), _>(missing()).completion();
        return vec![report::trial("numpy::own_tests".to_owned(), skipped)];
    }
    let files = every_file::files(&sources).into_iter().map(|file| file.to_string_lossy().into_owned());
    let tests = files.filter(|file| {
        let name = file.rsplit('/').next().unwrap_or_default();
        name.starts_with("test_") && name.ends_with(".py") && file.contains("/tests/")
    });
    let tests = tests.filter(|file| !LEFT_OUT.iter().any(|folder| file.starts_with(folder)));
    tests
        .map(|file| {
            let name =
                format!("numpy::{}", file.trim_start_matches("numpy/").trim_end_matches(".py").replace('/', "::"));
            report::trial(name, move || compare(&file).completion())
        })
        .collect()
}

fn missing() -> Skipped {
    Skipped(
        "the image science-tests is not there: `cargo xtask image build --examples` makes it, or says why it cannot"
            .into(),
    )
}

fn differences() -> &'static Differences {
    static DIFFERENCES: OnceLock<Differences> = OnceLock::new();
    DIFFERENCES.get_or_init(|| Differences::read(&folder().join("numpy/differences.txt")))
}

fn compare(file: &str) -> Result<(), Skipped> {
    let image = Image::at("science-tests").map_err(|_| missing())?;
    let owned = |name: &str| name == file || name.strip_prefix(file).is_some_and(|rest| rest.starts_with("::"));
    let result = run(&image, file, json!(differences().those("avoided", owned)));
    let reasons = result["reasons"].as_object().expect("reasons by test");
    let found: BTreeMap<_, _> = reasons
        .iter()
        .map(|(name, said)| {
            (name.clone(), said.as_str().and_then(|said| said.lines().next_back()).unwrap_or_default().to_owned())
        })
        .collect();
    differences().assert("fails", &found, owned);
    report::measured("passed", result["passed"].as_f64().unwrap_or_default());
    Ok(())
}

/// The report of the runner.
fn run(image: &Image, file: &str, skip: Value) -> Value {
    let mut limits = Case::new(Language::Python, Isolation::Wasm).limits();
    limits.timeout = TIME;
    limits.cpu_time = TIME;
    limits.memory = MEMORY;
    limits.value = 4 << 20;
    limits.stdout = 64 << 20;
    let sandbox = Sandbox::builder()
        .image(image.directory())
        .isolation(Isolation::Wasm)
        .limits(limits)
        .mount(downloaded("numpy"), "/input", Access::ReadOnly)
        .temp_output()
        .variable("FILE", file)
        .variable("SKIP", skip)
        .build()
        .expect("a sandbox for numpy's tests");
    match sandbox.run(include_str!("numpy/run_file.py")) {
        Ok(result) => {
            if let Some(error) = result.error {
                panic!("{}", error.traceback);
            }
            result.value.expect("the runner reports")
        }
        Err(error) => panic!("the guest ended: {error}"),
    }
}
