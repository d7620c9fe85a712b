//! Serializes changes of the length of a file between guests, so that bytes that one guest removes are not subtracted
//! from those that another guest adds.

use std::{
    collections::HashSet,
    sync::{Condvar, LazyLock, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use isolette_abi::files::FileError;

use super::ledger::Holder;
use isolette_work::Work;

/// Interval at which a waiting run checks whether it must end.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// Files whose length is being changed. Only guests that change the same file wait for each other.
static CHANGING: LazyLock<Mutex<HashSet<Holder>>> = LazyLock::new(Mutex::default);
static CHANGED: Condvar = Condvar::new();

/// While this exists, no other guest of this process changes the length of the file.
#[derive(Debug)]
pub(super) struct Held(Holder);

/// Waits until no other guest changes the length of this file.
///
/// # Errors
/// [`FileError::Busy`] if the run that waits must end.
pub(super) fn hold(file: &Holder) -> Result<Held, FileError> {
    let mut changing = changing();
    while changing.contains(file) {
        if Work::new(u64::MAX).over().is_some() {
            return Err(FileError::Busy);
        }
        changing = CHANGED.wait_timeout(changing, BETWEEN_LOOKS).unwrap_or_else(PoisonError::into_inner).0;
    }
    changing.insert(file.clone());
    Ok(Held(file.clone()))
}

fn changing() -> MutexGuard<'static, HashSet<Holder>> {
    CHANGING.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for Held {
    fn drop(&mut self) {
        changing().remove(&self.0);
        CHANGED.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use tokio_util::sync::CancellationToken;

    use super::*;
    use isolette_deadline::Deadline;
    use isolette_work::Call;

    fn file(inode: u64) -> Holder {
        Holder::File { device: u64::MAX, inode }
    }

    #[test]
    fn only_the_same_file_is_waited_for_and_no_longer_than_the_run_lasts() {
        // More files than any fixed number of locks would distinguish.
        let held: Vec<_> = (0..1_000).map(|inode| hold(&file(inode)).unwrap()).collect();
        let cancel = CancellationToken::new();
        cancel.cancel();
        let call = Call::new(Deadline::new(Duration::MAX, Duration::MAX, cancel));
        call.within(|| {
            assert_eq!(hold(&file(1)).unwrap_err(), FileError::Busy);
            assert!(hold(&file(1_000)).is_ok());
        });
        drop(held);
        assert!(call.within(|| hold(&file(1))).is_ok());
    }

    #[test]
    fn who_waits_goes_on_when_the_file_is_free() {
        let held = hold(&file(2_000)).unwrap();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| hold(&file(2_000)).is_ok());
            drop(held);
            assert!(waiting.join().unwrap());
        });
    }
}
