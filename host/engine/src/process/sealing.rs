//! Makes files in memory unchangeable.

use std::{fs::File, io};

use rustix::{
    fs::{SealFlags, fcntl_add_seals},
    io::Errno,
};

/// The number of attempts to seal a file. Each time, the kernel waits some 150 ms for its own references to the pages of the file, such as
/// those of a page that it is moving, before it says that the file is busy (`mm/memfd.c`, `memfd_wait_for_pins`).
const ATTEMPTS: usize = 20;

/// Makes the bytes and the length of a file unchangeable, for good.
pub(super) fn seal(file: &File) -> io::Result<()> {
    let seals = SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL;
    let mut sealed = Err(Errno::BUSY);
    for _ in 0..ATTEMPTS {
        sealed = fcntl_add_seals(file, seals);
        if sealed != Err(Errno::BUSY) {
            break;
        }
    }
    Ok(sealed?)
}

#[cfg(test)]
mod tests {
    use std::{io::Write as _, os::unix::fs::FileExt as _};

    use rustix::fs::{MemfdFlags, memfd_create};

    use super::*;

    #[test]
    fn a_sealed_file_cannot_be_changed() {
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let mut file = File::from(memfd_create("isolette-test", flags).unwrap());
        file.write_all(b"bytes").unwrap();
        seal(&file).unwrap();
        assert!(file.write_at(b"other", 0).is_err() && file.set_len(1).is_err());
        assert!(seal(&file).is_err(), "no further seal can be added");
    }
}
