//! Lists of known differences: a line with the reason, and below it, indented, the differences.
//!
//! `INSTA_UPDATE=always` removes obsolete differences, and adds new ones at the end, without a reason until one is written.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// The known differences and their kinds: `fails NAME`, `avoided NAME`.
#[derive(Debug, Default)]
pub(crate) struct Differences {
    path: PathBuf,
    known: BTreeMap<String, String>,
}

/// The reason of new differences.
const UNEXPLAINED: &str = "TODO: find the reason";

impl Differences {
    /// Reads a list.
    ///
    /// # Panics
    /// The list is malformed.
    pub(crate) fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut known = BTreeMap::new();
        let mut reason = false;
        for line in text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
            match line.strip_prefix("    ") {
                None => reason = true,
                Some(entry) => {
                    assert!(reason, "{}: no reason comes before {entry:?}", path.display());
                    let (how, name) = entry.split_once(' ').unwrap_or_else(|| panic!("how does {entry:?} differ?"));
                    let before = known.insert(name.to_owned(), how.to_owned());
                    assert!(before.is_none(), "{}: {name} is listed twice", path.display());
                }
            }
        }
        Self { path: path.to_owned(), known }
    }

    /// The differences of one kind that belong to a test.
    pub(crate) fn those(&self, how: &str, is_own: impl Fn(&str) -> bool) -> BTreeSet<String> {
        self.known.iter().filter(|(name, known)| *known == how && is_own(name)).map(|(name, _)| name.clone()).collect()
    }

    /// Fails unless exactly the listed differences were found. `found` has each with its message.
    pub(crate) fn assert(&self, how: &str, found: &BTreeMap<String, String>, is_own: impl Fn(&str) -> bool) {
        let known = self.those(how, is_own);
        if env::var("INSTA_UPDATE").as_deref() == Ok("always") {
            return self.update(how, &known, found);
        }
        let mut report = String::new();
        for (name, said) in found.iter().filter(|(name, _)| !known.contains(*name)) {
            let _ = writeln!(report, "not listed: {how} {name}\n      {}", said.replace('\n', "\n      "));
        }
        for name in known.iter().filter(|name| !found.contains_key(*name)) {
            let _ = writeln!(report, "listed, and no longer so: remove it from the list: {how} {name}");
        }
        assert!(report.is_empty(), "{report}");
    }

    fn update(&self, how: &str, known: &BTreeSet<String>, found: &BTreeMap<String, String>) {
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let text = fs::read_to_string(&self.path).expect("the list was read before");
        let gone: BTreeSet<String> =
            known.iter().filter(|name| !found.contains_key(*name)).map(|name| format!("    {how} {name}")).collect();
        let mut lines: Vec<String> = text.lines().filter(|line| !gone.contains(*line)).map(ToOwned::to_owned).collect();
        for (name, said) in found.iter().filter(|(name, _)| !known.contains(*name)) {
            lines.push(format!("{UNEXPLAINED}: {}", said.lines().map(str::trim).collect::<Vec<_>>().join(" · ")));
            lines.push(format!("    {how} {name}"));
        }
        fs::write(&self.path, lines.join("\n") + "\n").expect("the list can be written");
    }
}
