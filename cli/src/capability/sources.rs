//! Finds the sources of Isolette that a new crate depends on, because no registry has a release of them.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use isolette::Error;
use serde::Deserialize;

/// Number of parent folders that are searched. Three lead from `target/TRIPLE/release` to the repository.
const LEVELS: usize = 4;

/// The folder of the crate `isolette`: in the named folder, or else in the sources that this program was built in.
pub(super) fn find(named: Option<&Path>) -> Result<PathBuf, Error> {
    match named {
        Some(named) => in_named(named),
        None => {
            env::current_exe().and_then(|program| program.canonicalize()).ok().as_deref().and_then(above).ok_or_else(
                || Error::InvalidArgument {
                    message: "the new crate depends on the sources of Isolette, which were not found near this program"
                        .into(),
                    hint: "name their directory: `--isolette DIR`".into(),
                },
            )
        }
    }
}

fn in_named(named: &Path) -> Result<PathBuf, Error> {
    let folder = named.canonicalize().map_err(|error| Error::InvalidArgument {
        message: format!("cannot find {}: {error}", named.display()),
        hint: "`--isolette` takes the directory with the sources of Isolette".into(),
    })?;
    crate_in(&folder).ok_or_else(|| Error::InvalidArgument {
        message: format!("{} does not contain the sources of Isolette", folder.display()),
        hint: "name the directory that contains `host/isolette`".into(),
    })
}

fn above(program: &Path) -> Option<PathBuf> {
    program.ancestors().skip(1).take(LEVELS).find_map(crate_in)
}

/// Returns the crate itself, or the crate in a repository, whose root is not a crate.
fn crate_in(folder: &Path) -> Option<PathBuf> {
    [folder.join("host/isolette"), folder.to_owned()].into_iter().find(|folder| is_isolette(&folder.join("Cargo.toml")))
}

fn is_isolette(manifest: &Path) -> bool {
    #[derive(Deserialize)]
    struct Manifest {
        package: Option<Package>,
    }
    #[derive(Deserialize)]
    struct Package {
        name: String,
    }
    let text = fs::read_to_string(manifest).unwrap_or_default();
    toml::from_str::<Manifest>(&text).is_ok_and(|manifest| manifest.package.is_some_and(|it| it.name == "isolette"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relevant parts of a repository.
    fn repository() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for folder in ["host/isolette", "mcp", "target/debug"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        fs::write(root.join("Cargo.toml"), "[workspace]\nmembers = [\"host/isolette\"]").unwrap();
        fs::write(root.join("host/isolette/Cargo.toml"), "[package]\nname = \"isolette\"\nversion.workspace = true")
            .unwrap();
        fs::write(root.join("mcp/Cargo.toml"), "[package]\nname = \"isolette-mcp\"").unwrap();
        (folder, root)
    }

    #[test]
    fn the_repository_and_the_crate_in_it_are_the_same() {
        let (_folder, root) = repository();
        for named in [&*root, &root.join("host/isolette"), &root.join("mcp/../host/isolette")] {
            assert_eq!(find(Some(named)).unwrap(), root.join("host/isolette"), "{}", named.display());
        }
        for (named, said) in [("mcp", "does not contain the sources"), ("nothing", "cannot find")] {
            let error = find(Some(&root.join(named))).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn a_program_knows_the_sources_that_it_was_built_in() {
        let (_folder, root) = repository();
        for program in
            ["target/debug/isolette", "target/debug/deps/isolette", "target/x86_64-unknown-linux-gnu/release/isolette"]
        {
            assert_eq!(above(&root.join(program)), Some(root.join("host/isolette")), "{program}");
        }
        assert_eq!(above(&root.join("mcp/target/x86_64-unknown-linux-gnu/release/deps/isolette")), None, "too far");
        assert_eq!(above(Path::new("/isolette")), None);
    }
}
