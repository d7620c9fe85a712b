//! The CPU time of another process.

use std::{
    fs::File,
    os::unix::fs::FileExt as _,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::{Duration, Instant},
};

use crate::ticks;

/// Measures the CPU time of a process with one thread.
#[derive(Debug)]
pub struct ProcessClock {
    source: Source,
    /// The latest measurement in nanoseconds: it remains when the process has ended.
    latest: AtomicU64,
}

#[derive(Debug)]
enum Source {
    /// The file `schedstat` of the process: nanoseconds.
    Nanoseconds(File),
    /// The file `stat` of the process: clock ticks, on systems without the other.
    Ticks(File),
    /// Elapsed time, which is at least the CPU time, where the system shows no files of processes.
    Since(Instant),
}

impl ProcessClock {
    /// Creates a clock of the process with this number, which must not have ended.
    #[must_use]
    pub fn of(number: u32) -> Self {
        let open = |file: &str| File::open(format!("/proc/{number}/{file}"));
        let source = match (open("schedstat"), open("stat")) {
            (Ok(file), _) => Source::Nanoseconds(file),
            (_, Ok(file)) => Source::Ticks(file),
            _ => Source::Since(Instant::now()),
        };
        Self { source, latest: AtomicU64::new(0) }
    }

    /// Returns the CPU time that the process has used; if it has ended, what the last call returned.
    pub fn used(&self) -> Duration {
        let now = match &self.source {
            Source::Nanoseconds(file) => nanoseconds(file),
            Source::Ticks(file) => of_ticks(file),
            Source::Since(began) => u64::try_from(began.elapsed().as_nanos()).ok(),
        };
        let latest = self.latest.fetch_max(now.unwrap_or(0), Relaxed);
        Duration::from_nanos(latest.max(now.unwrap_or(0)))
    }

    /// Returns whether the process has ended and the system has forgotten it. `false` where the system shows no files of processes.
    pub fn has_ended(&self) -> bool {
        match &self.source {
            Source::Nanoseconds(file) | Source::Ticks(file) => file.read_at(&mut [0; 1], 0).is_err(),
            Source::Since(_) => false,
        }
    }
}

fn nanoseconds(file: &File) -> Option<u64> {
    text(file, &mut [0; 64])?.split_ascii_whitespace().next()?.parse().ok()
}

fn of_ticks(file: &File) -> Option<u64> {
    ticks::ticks(text(file, &mut [0; 1024])?).and_then(|time| u64::try_from(time.as_nanos()).ok())
}

fn text<'a>(file: &File, buffer: &'a mut [u8]) -> Option<&'a str> {
    let length = file.read_at(buffer, 0).ok()?;
    std::str::from_utf8(buffer.get(..length)?).ok()
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn the_time_of_a_process_is_measured_and_remains_when_it_has_ended() {
        let mut child = Command::new("sh")
            .args(["-c", "i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done; echo; read _"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let clock = ProcessClock::of(child.id());
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut [0]).unwrap();
        let used = clock.used();
        assert!(used > Duration::from_millis(1), "{used:?}");
        assert!(!clock.has_ended());
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(clock.used() >= used && clock.has_ended());
    }
}
