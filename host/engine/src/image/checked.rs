//! Records of files whose digests an earlier process has compared, so that a process need not read 60 MB to start.
//!
//! A record is valid for the file that was read and for no other: as long as its fingerprint ([`Stamp`]) is the same,
//! no process has written to it. Corruption by the disk itself is only found by `isolette image verify`.

use std::{
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tempfile::NamedTempFile;

use isolette_types::digest;

use super::FileDigest;
use crate::{fingerprint::Stamp, user_cache};

#[derive(PartialEq, Serialize, Deserialize)]
struct Record {
    path: PathBuf,
    sha256: String,
    stamp: Stamp,
}

/// Returns the size and the SHA-256 of a file. The file is only read if no record says that it has the expected ones.
pub(super) fn digest_unless_known(path: &Path, expected: &FileDigest) -> io::Result<(u64, String)> {
    let folder = user_cache::folder("checked");
    let file = File::open(path)?;
    let mut record =
        Record { path: path.canonicalize()?, sha256: expected.sha256.clone(), stamp: Stamp::of(&file.metadata()?) };
    if record.stamp.size() == expected.size && folder.as_ref().is_some_and(|folder| is_kept(folder, &record)) {
        return Ok((expected.size, record.sha256));
    }
    let (size, sha256) = digest(&file)?;
    record.sha256.clone_from(&sha256);
    if let Some(folder) = folder
        && record.stamp.is_settled()
        && record.stamp == Stamp::of(&file.metadata()?)
    {
        // Without a writable folder, every process reads the file.
        let _ = keep(&folder, &record);
    }
    Ok((size, sha256))
}

fn is_kept(folder: &Path, record: &Record) -> bool {
    let kept = user_cache::prepare(folder).and_then(|()| fs::read(place(folder, record)));
    kept.is_ok_and(|text| serde_json::from_slice::<Record>(&text).is_ok_and(|kept| kept == *record))
}

fn keep(folder: &Path, record: &Record) -> io::Result<()> {
    user_cache::prepare(folder)?;
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(&serde_json::to_vec(record)?)?;
    file.persist(place(folder, record))?;
    Ok(())
}

fn place(folder: &Path, record: &Record) -> PathBuf {
    let name = Sha256::digest(record.path.as_os_str().as_encoded_bytes());
    folder.join(hex::encode(name)).with_extension("json")
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn record(path: &Path) -> Record {
        let stamp = Stamp::of(&fs::metadata(path).unwrap());
        Record { path: path.to_owned(), sha256: "00".into(), stamp }
    }

    #[test]
    fn a_record_is_for_one_state_of_one_file() {
        let home = tempfile::tempdir().unwrap();
        let (folder, file) = (home.path().join("checked"), home.path().join("code"));
        fs::write(&file, "code").unwrap();
        assert!(!is_kept(&folder, &record(&file)));
        keep(&folder, &record(&file)).unwrap();
        assert!(is_kept(&folder, &record(&file)));
        let other = Record { sha256: "01".into(), ..record(&file) };
        assert!(!is_kept(&folder, &other), "the manifest expects something else by now");
        fs::write(&file, "c0de of another length").unwrap();
        assert!(!is_kept(&folder, &record(&file)), "somebody wrote to it");
    }

    #[test]
    fn a_record_that_others_could_have_written_does_not_count() {
        let home = tempfile::tempdir().unwrap();
        let (folder, file) = (home.path().join("checked"), home.path().join("code"));
        fs::write(&file, "code").unwrap();
        keep(&folder, &record(&file)).unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).unwrap();
        assert!(!is_kept(&folder, &record(&file)));
        assert!(keep(&folder, &record(&file)).is_err());
    }
}
