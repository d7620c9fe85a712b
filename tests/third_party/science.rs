//! The own tests of numpy and pandas, each file as one program in a sandbox of an image with both, pytest and the modules that
//! only these tests import.

use std::{collections::BTreeMap, sync::OnceLock, time::Duration};

use isolette::{Image, Isolation, Language, Sandbox, policy::Access};
use isolette_tests::{Case, Outcome as _, Skipped, every_file, libtest_mimic::Trial, report};
use serde_json::{Value, json};

use crate::{differences::Differences, downloaded, folder};

/// The timeout of a file, of which most take less than a second, and one takes minutes on a busy machine. It only matters if a test hangs.
const TIME: Duration = Duration::from_secs(1200);

const MEMORY: u64 = 1500 << 20;

const IMAGE: &str = "science-tests";

/// A package with tests of its own.
#[derive(Debug)]
struct Suite {
    name: &'static str,
    /// Files below these folders are about compilers, type checkers and installers.
    left_out: &'static [&'static str],
    /// One of so many files runs without being asked for.
    one_of: usize,
    /// The markers of tests that do not run: they take long, or need more than a sandbox.
    unmarked: &'static str,
    differences: OnceLock<Differences>,
}

static SUITES: [Suite; 2] = [
    Suite {
        name: "numpy",
        left_out: &["numpy/f2py/", "numpy/typing/", "numpy/_pyinstaller/", "numpy/_core/src/"],
        one_of: 1,
        unmarked: "not slow",
        differences: OnceLock::new(),
    },
    Suite {
        name: "pandas",
        left_out: &[],
        one_of: 8,
        unmarked: "not slow and not network and not db and not single_cpu and not clipboard",
        differences: OnceLock::new(),
    },
];

pub(crate) fn trials() -> Vec<Trial> {
    SUITES.iter().flat_map(Suite::trials).collect()
}

impl Suite {
    fn trials(&'static self) -> Vec<Trial> {
        let name = self.name;
        let sources = downloaded(name);
        if !sources.is_dir() {
            return vec![report::trial(format!("{name}::own_tests"), || Err::<(), _>(missing()).completion())];
        }
        let files = every_file::files(&sources).into_iter().map(|file| file.to_string_lossy().into_owned());
        let tests = files.filter(|file| {
            let name = file.rsplit('/').next().unwrap_or_default();
            name.starts_with("test_") && name.ends_with(".py") && file.contains("/tests/")
        });
        let tests = tests.filter(|file| !self.left_out.iter().any(|folder| file.starts_with(folder)));
        tests
            .enumerate()
            .map(|(number, file)| {
                let path = file.strip_prefix(name).unwrap_or(&file).trim_end_matches(".py");
                let trial = format!("{name}{}", path.replace('/', "::"));
                report::trial(trial, move || self.compare(&file).completion())
                    .with_ignored_flag(number % self.one_of != 0)
            })
            .collect()
    }

    fn compare(&self, file: &str) -> Result<(), Skipped> {
        let path = || folder().join(self.name).join("differences.txt");
        let differences = self.differences.get_or_init(|| Differences::read(&path()));
        let image = Image::at(IMAGE).map_err(|_| missing())?;
        let owned = |name: &str| name == file || name.strip_prefix(file).is_some_and(|rest| rest.starts_with("::"));
        let result = self.run(&image, file, json!(differences.those("avoided", owned)));
        let reasons = result["reasons"].as_object().expect("reasons by test");
        let found: BTreeMap<_, _> = reasons
            .iter()
            .map(|(name, said)| {
                (name.clone(), said.as_str().and_then(|said| said.lines().next_back()).unwrap_or_default().to_owned())
            })
            .collect();
        differences.assert("fails", &found, owned);
        report::measured("passed", result["passed"].as_f64().unwrap_or_default());
        Ok(())
    }

    /// The report of the runner.
    fn run(&self, image: &Image, file: &str, skip: Value) -> Value {
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
            .mount(downloaded(self.name), "/input", Access::ReadOnly)
            .temp_output()
            .variable("PACKAGE", self.name)
            .variable("FILE", file)
            .variable("MARKERS", self.unmarked)
            .variable("SKIP", skip)
            .build()
            .expect("a sandbox for the tests of a package");
        match sandbox.run(include_str!("science/run_file.py")) {
            Ok(result) => {
                if let Some(error) = result.error {
                    panic!("{}", error.traceback);
                }
                result.value.expect("the runner reports")
            }
            Err(error) => panic!("the guest ended: {error}"),
        }
    }
}

fn missing() -> Skipped {
    Skipped(format!(
        "the image {IMAGE} is not there: `cargo xtask image build --examples` makes it, or says why it cannot"
    ))
}
