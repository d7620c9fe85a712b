//! The documents that a reader of the README can reach.

use std::{
    collections::BTreeSet,
    fs,
    path::{Component, Path, PathBuf},
};

use anyhow::{Context as _, Result, bail};

/// The README.
const FIRST: &str = "README.md";

/// Returns the README and the files that its relative links lead to, directly or through other documents, relative to `root`.
/// A link to a file that does not exist is an error.
pub(super) fn linked(root: &Path) -> Result<BTreeSet<PathBuf>> {
    let mut found = BTreeSet::from([PathBuf::from(FIRST)]);
    let mut unread = vec![PathBuf::from(FIRST)];
    while let Some(document) = unread.pop() {
        let path = root.join(&document);
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        for link in links(&text) {
            let target = resolve(document.parent().unwrap_or(Path::new("")), link);
            let Some(target) = target.filter(|target| root.join(target).is_file()) else {
                bail!("{} links to {link}, which is not a file of {}", document.display(), root.display());
            };
            if found.insert(target.clone()) && target.extension().is_some_and(|extension| extension == "md") {
                unread.push(target);
            }
        }
    }
    Ok(found)
}

/// The targets of relative links in a text, without what follows `#`.
fn links(text: &str) -> Vec<&str> {
    let mut in_code = false;
    let mut links = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if in_code || line.starts_with("    ") {
            continue;
        }
        let targets = line.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
        let files = targets.map(|target| target.split_once('#').map_or(target, |(file, _)| file));
        links.extend(files.filter(|file| !file.is_empty() && !file.contains(':')));
    }
    links
}

/// The file that a link in a document of `folder` names. `None` if it is outside of the root.
fn resolve(folder: &Path, link: &str) -> Option<PathBuf> {
    let mut path = PathBuf::new();
    for part in folder.join(link).components() {
        match part {
            Component::Normal(name) => path.push(name),
            Component::ParentDir if path.pop() => {}
            Component::CurDir => {}
            _ => return None,
        }
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(root: &Path, files: &[(&str, &str)]) {
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }

    #[test]
    fn documents_are_found_through_others() {
        let root = tempfile::tempdir().unwrap();
        write(
            root.path(),
            &[
                ("README.md", "[a](docs/a.md), [b](docs/a.md#part)\n[web](https://example.org/x.md) [here](#part)\n"),
                (
                    "docs/a.md",
                    "[back](../README.md) [tool](./tool.py)\n```\n[code](gone.md)\n```\n    [code](gone.md)\n",
                ),
                ("docs/tool.py", "[no](link.md)"),
                ("docs/unrelated.md", ""),
            ],
        );
        let found = linked(root.path()).unwrap();
        assert_eq!(
            found.iter().map(|path| path.to_str().unwrap()).collect::<Vec<_>>(),
            ["README.md", "docs/a.md", "docs/tool.py"]
        );
    }

    #[test]
    fn a_link_to_a_missing_file_is_reported_with_its_document() {
        for link in ["gone.md", "../../outside.md", "."] {
            let root = tempfile::tempdir().unwrap();
            write(root.path(), &[("README.md", "[a](docs/a.md)"), ("docs/a.md", &format!("[b]({link})"))]);
            let error = linked(root.path()).unwrap_err().to_string();
            assert!(error.contains(&format!("docs/a.md links to {link}")), "{error}");
        }
    }

    #[test]
    fn the_documents_of_this_project_have_no_dead_links() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let found = linked(root).unwrap();
        for document in ["ARCHITECTURE.md", "docs/security.md", "docs/decisions/README.md", "guest-js/README.md"] {
            assert!(found.contains(Path::new(document)), "{document}");
        }
    }
}
