//! Records of files whose digests an earlier process has compared, so that a process need not read 60 MB to start.
//!
//! A record is valid for the file that was read and for no other: as long as its fingerprint ([`FileFingerprint`]) is the same,
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
use crate::{fingerprint::FileFingerprint, user_cache};

#[derive(PartialEq, Serialize, Deserialize)]
struct Record {
    path: PathBuf,
    sha256: String,
    fingerprint: FileFingerprint,
}

/// Returns the size and the SHA-256 of a file. The file is only read if no record says that it has the expected ones.
pub(super) fn digest_unless_known(path: &Path, expected: &FileDigest) -> io::Result<(u64, String)> {
    let folder = user_cache::folder("checked");
    let file = File::open(path)?;
    let mut record = Record {
        path: path.canonicalize()?,
        sha256: expected.sha256.clone(),
        fingerprint: FileFingerprint::of(&file.metadata()?),
    };
    if record.fingerprint.size() == expected.size && folder.as_ref().is_some_and(|folder| is_recorded(folder, &record))
    {
        return Ok((expected.size, record.sha256));
    }
    let (size, sha256) = digest(&file)?;
    record.sha256.clone_from(&sha256);
    if let Some(folder) = folder
        && record.fingerprint.is_settled()
        && record.fingerprint == FileFingerprint::of(&file.metadata()?)
    {
        // Without a writable folder, every process reads the file.
        let _ = store(&folder, &record);
    }
    Ok((size, sha256))
}

fn is_recorded(folder: &Path, record: &Record) -> bool {
    let stored = user_cache::prepare(folder).and_then(|()| fs::read(path(folder, record)));
    stored.is_ok_and(|text| serde_json::from_slice::<Record>(&text).is_ok_and(|stored| stored == *record))
}

fn store(folder: &Path, record: &Record) -> io::Result<()> {
    user_cache::prepare(folder)?;
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(&serde_json::to_vec(record)?)?;
    file.persist(path(folder, record))?;
    Ok(())
}

fn path(folder: &Path, record: &Record) -> PathBuf {
    let name = Sha256::digest(record.path.as_os_str().as_encoded_bytes());
    folder.join(hex::encode(name)).with_extension("json")
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn record(path: &Path) -> Record {
        let fingerprint = FileFingerprint::of(&fs::metadata(path).unwrap());
        Record { path: path.to_owned(), sha256: "00".into(), fingerprint }
    }

    #[test]
    fn a_record_is_for_one_state_of_one_file() {
        let home = tempfile::tempdir().unwrap();
        let (folder, file) = (home.path().join("checked"), home.path().join("code"));
        fs::write(&file, "code").unwrap();
        assert!(!is_recorded(&folder, &record(&file)));
        store(&folder, &record(&file)).unwrap();
        assert!(is_recorded(&folder, &record(&file)));
        let other = Record { sha256: "01".into(), ..record(&file) };
        assert!(!is_recorded(&folder, &other), "the manifest expects something else by now");
        fs::write(&file, "c0de of another length").unwrap();
        assert!(!is_recorded(&folder, &record(&file)), "another process wrote to it");
    }

    #[test]
    fn a_record_that_others_could_have_written_is_ignored() {
        let home = tempfile::tempdir().unwrap();
        let (folder, file) = (home.path().join("checked"), home.path().join("code"));
        fs::write(&file, "code").unwrap();
        store(&folder, &record(&file)).unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).unwrap();
        assert!(!is_recorded(&folder, &record(&file)));
        assert!(store(&folder, &record(&file)).is_err());
    }
}
