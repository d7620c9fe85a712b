//! The output of the program, which is buffered for a short time.
//!
//! If the host ends the program, buffered output is lost, although it would help to explain the end. So each line is sent
//! immediately; after very many lines, a line waits for a few more.
//!
//! The streams of WASI and `isolette:sandbox/console` share one buffer, so that the order of their output is kept.

use isolette_abi::{
    CHUNK_LIMIT, Call,
    console::{Output, Stream},
    encode,
};

use crate::host_calls::HostCalls;

/// At the end of a line, this many buffered bytes are always sent.
const LINE_FLUSH: usize = 4 * 1024;

/// A line waits for at most this part of the number of lines before it: the first 256 lines do not wait, and a million lines
/// are some 2,400 calls.
const WAITING_PART: u64 = 256;

/// The maximum number of buffered bytes, also without the end of a line and at the end of a run, whose message has other
/// fields.
const KEEP_LIMIT: usize = 64 * 1024;

/// The maximum size of a boundary between two chunks in a message.
const RUN_COST: usize = 8;

/// The bytes in the order in which they were written.
#[derive(Default)]
pub(crate) struct Console {
    bytes: Vec<u8>,
    /// The stream and length of each chunk. Neighbouring chunks belong to different streams.
    runs: Vec<(Stream, usize)>,
    /// The number of line ends that were sent in this run, and of those in `bytes`.
    lines: u64,
    waiting: u64,
}

impl Console {
    pub(crate) fn write(&mut self, calls: &mut HostCalls, stream: Stream, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        if self.size() + bytes.len() + RUN_COST > KEEP_LIMIT {
            self.flush(calls);
        }
        if bytes.len() + RUN_COST > KEEP_LIMIT {
            return send(calls, stream, bytes);
        }
        self.bytes.extend_from_slice(bytes);
        match self.runs.last_mut() {
            Some((last, length)) if *last == stream => *length += bytes.len(),
            _ => self.runs.push((stream, bytes.len())),
        }
        let ends = bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
        self.waiting += ends;
        if ends > 0 && (self.size() > LINE_FLUSH || self.waiting > self.lines / WAITING_PART) {
            self.flush(calls);
        }
    }

    /// Sends everything. Must come before each call that may take time in the host.
    pub(crate) fn flush(&mut self, calls: &mut HostCalls) {
        for output in self.outputs() {
            send(calls, output.stream, output.bytes);
        }
        self.lines += self.waiting;
        self.empty();
    }

    /// Removes and returns the buffered output, as an encoded list of [`Output`]s.
    pub(crate) fn finish(&mut self) -> Vec<u8> {
        let rest = encode(&self.outputs().collect::<Vec<_>>());
        self.clear();
        rest
    }

    /// Resets the state of the previous run.
    pub(crate) fn clear(&mut self) {
        self.empty();
        self.lines = 0;
    }

    fn empty(&mut self) {
        self.bytes.clear();
        self.runs.clear();
        self.waiting = 0;
    }

    fn size(&self) -> usize {
        self.bytes.len() + self.runs.len() * RUN_COST
    }

    fn outputs(&self) -> impl Iterator<Item = Output<'_>> {
        let mut rest = self.bytes.as_slice();
        self.runs.iter().map(move |(stream, length)| {
            let (bytes, after) = rest.split_at(*length);
            rest = after;
            Output { stream: *stream, bytes }
        })
    }
}

/// Output outside of a run is dropped.
fn send(calls: &mut HostCalls, stream: Stream, bytes: &[u8]) {
    if calls.is_running() {
        for bytes in bytes.chunks(CHUNK_LIMIT) {
            calls.call(&Call::Console(Output { stream, bytes })).read::<()>();
        }
    }
}

#[cfg(test)]
mod tests {
    use isolette_abi::decode;

    use super::*;
    use crate::testing::running;

    #[test]
    fn a_program_without_a_whole_line_makes_no_call() {
        let (mut state, host) = running();
        for (stream, text) in
            [(Stream::Stdout, "a"), (Stream::Stdout, "b"), (Stream::Stderr, "c"), (Stream::Stdout, "d")]
        {
            state.console.write(&mut state.calls, stream, text.as_bytes());
        }
        let rest = state.finish();
        let rest: Vec<Output<'_>> = decode(&rest).expect("a list of outputs");
        let rest: Vec<_> = rest.iter().map(|output| (output.stream, output.bytes)).collect();
        assert_eq!(rest, [(Stream::Stdout, &b"ab"[..]), (Stream::Stderr, b"c"), (Stream::Stdout, b"d")]);
        assert!(host.log().is_empty());
    }

    #[test]
    fn lines_are_handed_over_at_once_with_what_was_said_before() {
        let (mut state, host) = running();
        for text in ["a", "b\n", "c\n"] {
            state.console.write(&mut state.calls, Stream::Stdout, text.as_bytes());
        }
        assert_eq!(host.log(), ["Stdout ab\n", "Stdout c\n"]);
    }

    #[test]
    fn a_flood_of_lines_is_few_calls_and_few_lines_wait() {
        let (mut state, host) = running();
        for _ in 0..100_000 {
            state.console.write(&mut state.calls, Stream::Stdout, b"x\n");
        }
        assert!(host.log().len() < 2_000, "{}", host.log().len());
        assert!(state.console.waiting <= 100_000 / WAITING_PART);
    }

    #[test]
    fn the_end_of_a_line_is_not_waited_for_forever() {
        let (mut state, host) = running();
        for _ in 0..KEEP_LIMIT {
            state.console.write(&mut state.calls, Stream::Stderr, b".");
        }
        assert_eq!(host.log().len(), 1);
        assert!(state.console.size() <= KEEP_LIMIT);
    }

    #[test]
    fn changing_streams_counts_as_well() {
        let (mut state, _host) = running();
        for _ in 0..KEEP_LIMIT {
            state.console.write(&mut state.calls, Stream::Stderr, b".");
            state.console.write(&mut state.calls, Stream::Stdout, b".");
            assert!(state.console.size() <= KEEP_LIMIT);
        }
        assert!(state.finish().len() <= KEEP_LIMIT);
    }

    #[test]
    fn much_at_once_keeps_its_place() {
        let (mut state, host) = running();
        let long = "y".repeat(CHUNK_LIMIT + 1);
        state.console.write(&mut state.calls, Stream::Stdout, b"before");
        state.console.write(&mut state.calls, Stream::Stdout, long.as_bytes());
        state.console.write(&mut state.calls, Stream::Stdout, b"after");
        let lengths: Vec<usize> = host.log().iter().map(|line| line.len() - "Stdout ".len()).collect();
        assert_eq!(lengths, [6, CHUNK_LIMIT, 1]);
        assert_eq!(state.console.bytes, b"after");
    }

    #[test]
    fn everything_is_said_before_the_host_takes_its_time() {
        let (mut state, host) = running();
        let say = |state: &mut crate::state::State| state.console.write(&mut state.calls, Stream::Stdout, b"hello");
        say(&mut state);
        state.sleep(5);
        assert_eq!(host.log(), ["Stdout hello", "Sleep(5)"]);
        say(&mut state);
        assert_eq!(state.call_tool("echo", "{}"), Ok("{}".into()));
        assert_eq!(host.log(), ["Stdout hello", "tool echo 2"]);
    }

    #[test]
    fn output_outside_of_a_run_is_dropped() {
        let (mut state, host) = running();
        state.finish();
        state.console.write(&mut state.calls, Stream::Stdout, &vec![b'z'; 2 * KEEP_LIMIT]);
        state.console.write(&mut state.calls, Stream::Stdout, b"left over");
        state.sleep(5);
        crate::testing::begin(&mut state);
        assert!(host.log().is_empty());
        assert_eq!(decode(&state.finish()), Ok(Vec::<Output<'_>>::new()));
    }
}
