//! The key by which a host recognizes its own snapshots.

use std::{
    env, fmt,
    fs::{self, DirBuilder, OpenOptions},
    io::{self, Read as _, Write as _},
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use hmac::{Hmac, KeyInit as _, Mac as _};
use isolette_types::Error;
use sha2::Sha256;

/// Bytes of a key, and of a code of authenticity.
const LENGTH: usize = 32;

/// A secret of 32 bytes with which snapshots are authenticated (HMAC-SHA-256, RFC 2104). A snapshot that was saved with one key
/// is not loaded with another one.
///
/// Hosts that share snapshots share a key. A holder of the key can make snapshots that they load.
#[derive(Clone)]
pub struct SnapshotKey([u8; LENGTH]);

impl fmt::Debug for SnapshotKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SnapshotKey(…)")
    }
}

impl SnapshotKey {
    /// Makes a key of 32 random bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The key of the present user: in the file `isolette/snapshot.key` in the folder that `XDG_STATE_HOME` names, by default
    /// `~/.local/state`. It is made at the first use.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be read or made; [`Error::InvalidArgument`] if another user can read or change it.
    pub fn of_user() -> Result<Self, Error> {
        let folder = env::var_os("XDG_STATE_HOME")
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
            .or_else(|| Some(env::home_dir().filter(|home| home.is_absolute())?.join(".local/state")))
            .ok_or_else(|| {
                Error::invalid(
                    "the user's folder for state is not known",
                    "set XDG_STATE_HOME or HOME to an absolute path",
                )
            })?;
        Self::in_folder(&folder.join("isolette"))
    }

    fn in_folder(folder: &Path) -> Result<Self, Error> {
        let path = folder.join("snapshot.key");
        let failed = |error| Error::io(format!("cannot use the key `{}`", path.display()), error);
        let bytes = match read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => create(folder, &path).and_then(|()| read(&path)),
            read => read,
        };
        let (bytes, is_private) = bytes.map_err(failed)?;
        if !is_private {
            return Err(Error::invalid(
                format!("other users can read or change the key `{}`", path.display()),
                "remove it, and save snapshots again: a new key is made",
            ));
        }
        bytes.try_into().map(Self).map_err(|_| {
            Error::invalid(
                format!("the key `{}` has not {LENGTH} bytes", path.display()),
                "remove it, and save snapshots again: a new key is made",
            )
        })
    }

    /// The code of authenticity of bytes.
    pub(super) fn code(&self, bytes: &[u8]) -> [u8; LENGTH] {
        self.mac(bytes).finalize().into_bytes().into()
    }

    /// Whether a code is that of the bytes. The time that this takes does not depend on the answer.
    pub(super) fn is_code(&self, bytes: &[u8], code: &[u8]) -> bool {
        self.mac(bytes).verify_slice(code).is_ok()
    }

    fn mac(&self, bytes: &[u8]) -> Hmac<Sha256> {
        // A key that is shorter than a block of the hash is filled with zeros (RFC 2104, section 2).
        let mut block = hmac::digest::Key::<Hmac<Sha256>>::default();
        block[..LENGTH].copy_from_slice(&self.0);
        let mut mac = Hmac::<Sha256>::new(&block);
        mac.update(bytes);
        mac
    }
}

/// Reads the key, and whether no other user can read or change it.
fn read(path: &Path) -> io::Result<(Vec<u8>, bool)> {
    let file = fs::File::open(path)?;
    let metadata = file.metadata()?;
    let is_private = metadata.uid() == rustix::process::geteuid().as_raw() && metadata.mode() & 0o077 == 0;
    let mut bytes = Vec::new();
    file.take(LENGTH as u64 + 1).read_to_end(&mut bytes)?;
    Ok((bytes, is_private))
}

/// Makes a key, unless another process has made one meanwhile.
fn create(folder: &Path, path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let temporary = tempfile::Builder::new().prefix("snapshot.key-").tempdir_in(folder)?;
    let draft = temporary.path().join("key");
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft)?;
    file.write_all(&rand::random::<[u8; LENGTH]>())?;
    file.sync_all()?;
    match fs::hard_link(&draft, path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        linked => linked,
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_key_is_made_once_and_is_secret() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("state");
        let (first, second) = (SnapshotKey::in_folder(&folder).unwrap(), SnapshotKey::in_folder(&folder).unwrap());
        assert_eq!(first.0, second.0);
        assert_eq!(format!("{first:?}"), "SnapshotKey(…)");
        let code = first.code(b"text");
        assert!(
            second.is_code(b"text", &code) && !second.is_code(b"test", &code) && !second.is_code(b"text", &code[1..])
        );
        assert!(!SnapshotKey::new([1; 32]).is_code(b"text", &code));
        fs::set_permissions(folder.join("snapshot.key"), fs::Permissions::from_mode(0o644)).unwrap();
        assert!(SnapshotKey::in_folder(&folder).unwrap_err().to_string().contains("other users can read"));
    }

    #[test]
    fn a_key_that_was_cut_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("snapshot.key");
        OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path).unwrap().write_all(b"short").unwrap();
        assert!(SnapshotKey::in_folder(folder.path()).unwrap_err().to_string().contains("has not 32 bytes"));
    }
}
