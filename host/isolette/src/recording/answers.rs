//! The recorded answers to requests.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    hash::Hash,
    path::Path,
    sync::{Mutex, PoisonError},
};

use isolette_types::Error;
use isolette_work::{Call, values::Reservation};
use serde::de::DeserializeOwned;

use super::{lines, origin::Origin};

/// The recorded lines by request.
#[derive(Debug)]
pub(super) struct Answers<Key, Line>(Mutex<HashMap<Key, Equal<Line>>>);

/// The lines of equal requests.
#[derive(Debug)]
struct Equal<Line> {
    /// In the order of the file. Each line has the memory that is reserved for its values.
    lines: BTreeMap<usize, (Line, Reservation)>,
    /// The numbers of lines by their origin. They stay after a line was taken.
    of: HashMap<Origin, VecDeque<usize>>,
}

impl<Line> Default for Equal<Line> {
    fn default() -> Self {
        Self { lines: BTreeMap::new(), of: HashMap::new() }
    }
}

impl<Line> Equal<Line> {
    fn take(&mut self, origin: Origin) -> Option<(Line, Reservation)> {
        if origin.run.is_none() {
            return self.lines.pop_first().map(|(_, line)| line);
        }
        [origin, Origin::default()].into_iter().find_map(|origin| {
            let numbers = self.of.get_mut(&origin)?;
            std::iter::from_fn(|| numbers.pop_front()).find_map(|number| self.lines.remove(&number))
        })
    }
}

impl<Key: Eq + Hash, Line: DeserializeOwned> Answers<Key, Line> {
    /// Reads a file. `key` returns the request that a line answers, and `check` why a line is invalid.
    pub(super) fn open(
        path: &Path,
        key: impl Fn(&Line) -> (Key, Origin),
        check: impl Fn(&Line) -> Result<(), String>,
    ) -> Result<Self, Error> {
        let mut requests: HashMap<Key, Equal<Line>> = HashMap::new();
        let mut number = 0;
        lines::read(path, |line: Line, room| {
            check(&line)?;
            let (key, origin) = key(&line);
            let equal = requests.entry(key).or_default();
            equal.of.entry(origin).or_default().push_back(number);
            equal.lines.insert(number, (line, room));
            number += 1;
            Ok(())
        })?;
        Ok(Self(Mutex::new(requests)))
    }

    /// Takes the answer to a request: for a call of a recorded run that of the same call, or one without an origin; for
    /// other calls the next one. Its memory is then accounted to the current host call.
    pub(super) fn next(&self, key: &Key, origin: Origin) -> Option<Line> {
        let taken = self.0.lock().unwrap_or_else(PoisonError::into_inner).get_mut(key)?.take(origin);
        let (line, room) = taken?;
        Call::keep(room);
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};
    use tokio_util::sync::CancellationToken;

    use super::*;
    use isolette_deadline::Deadline;
    use isolette_work::values::value_bytes;

    const NONE: Origin = Origin { run: None, ticket: None };

    fn file(lines: &str) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), lines).unwrap();
        file
    }

    /// The first element of a line is the request, the third and fourth are its origin.
    fn answers(file: &tempfile::NamedTempFile) -> Answers<u64, Value> {
        let key = |line: &Value| {
            let ticket = line[3].as_u64().and_then(|ticket| u32::try_from(ticket).ok());
            (line[0].as_u64().unwrap_or(0), Origin { run: line[2].as_u64(), ticket })
        };
        Answers::open(file.path(), key, |_| Ok(())).unwrap()
    }

    #[test]
    fn the_memory_of_a_line_is_that_of_the_call_that_it_answers() {
        let file = file("[1, 2]\n[1, 3]\n");
        let answers = answers(&file);
        let call = Call::new(Deadline::new(Duration::MAX, Duration::MAX, CancellationToken::new()));
        let taken = call.within(|| [answers.next(&1, NONE), answers.next(&2, NONE)]);
        assert_eq!(taken, [Some(json!([1, 2])), None]);
        assert_eq!(call.reserved(), value_bytes(b"[1, 2]"));
        assert_eq!(answers.next(&1, NONE), Some(json!([1, 3])));
        assert_eq!(call.reserved(), value_bytes(b"[1, 2]"), "outside of a call nothing is kept");
    }

    #[test]
    fn a_call_of_a_recorded_run_gets_its_own_answer() {
        let file = file("[1, \"a\", 1, 2]\n[1, \"b\", 1, 1]\n[1, \"c\", 2, 1]\n[1, \"d\"]\n[1, \"e\", 1]\n");
        let answers = answers(&file);
        let next = |run, ticket| answers.next(&1, Origin { run, ticket }).map(|line| line[1].clone());
        assert_eq!(next(Some(1), Some(1)), Some(json!("b")));
        assert_eq!(next(Some(1), None), Some(json!("e")));
        assert_eq!(next(Some(1), Some(1)), Some(json!("d")), "a line without an origin answers any call");
        assert_eq!(next(Some(1), Some(1)), None, "and those of other calls do not");
        assert_eq!(next(None, Some(9)), Some(json!("a")), "a run that was not recorded gets any line");
        assert_eq!(next(None, None), Some(json!("c")));
        assert_eq!(next(None, None), None);
    }
}
