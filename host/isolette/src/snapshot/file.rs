//! Snapshots as files.
//!
//! | bytes | contents |
//! |---|---|
//! | 9 | `isolette` and a zero |
//! | 4 | the version of this format |
//! | 4 | the length of the description |
//! | | the description: JSON |
//! | | compressed (LZ4 frame): the host's side of the run if the program is paused (JSON), and the guest's state in the form of the engine |
//! | 32 | the code of authenticity of everything before it |
//!
//! Numbers are little-endian.

use std::io::{self, Read, Write};

use isolette_types::{EngineName, Error, Language};
use lz4_flex::frame::{FrameDecoder, FrameEncoder};
use serde::{Deserialize, Serialize};

use super::SnapshotKey;
use crate::system::SystemState;

const MAGIC: &[u8] = b"isolette\0";

/// Bytes up to the description.
pub(super) const HEAD: usize = MAGIC.len() + 8;

/// The version of the format. A host loads no other.
const VERSION: u32 = 4;

/// Bytes of the code of authenticity.
const CODE: usize = 32;

/// The most bytes of a description.
const DESCRIPTION_LIMIT: usize = 64 << 10;

/// The most bytes of a file.
pub(super) const FILE_LIMIT: u64 = 4 << 30;

/// The most bytes of the host's side of a run: outputs, records of calls, and arguments that wait.
pub(crate) const RUN_LIMIT: u64 = 256 << 20;

/// The description of a snapshot.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Description {
    /// The digest of the image.
    pub(super) image: String,
    /// The version of the host call ABI.
    pub(super) abi: u16,
    pub(super) isolation: EngineName,
    pub(super) language: Language,
    /// The kind of processor.
    pub(super) processor: String,
    /// Bytes of the state in memory.
    pub(super) bytes: u64,
    /// Bytes of the host's side of the run, if the program is paused.
    pub(super) run_bytes: Option<u64>,
    /// The state of deterministic clocks and random numbers.
    pub(super) system: SystemState,
}

/// Makes the file. `write` writes the state.
pub(super) fn encode(
    description: &Description,
    run: Option<&[u8]>,
    key: &SnapshotKey,
    write: impl FnOnce(&mut dyn std::io::Write) -> Result<(), Error>,
) -> Result<Vec<u8>, Error> {
    let text = serde_json::to_vec(description).map_err(|error| Error::invalid(error.to_string(), "report this"))?;
    let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
    let head = [MAGIC, &VERSION.to_le_bytes(), &length.to_le_bytes(), &text].concat();
    let mut compressed = FrameEncoder::new(head);
    compressed.write_all(run.unwrap_or_default()).map_err(|error| Error::io("cannot compress a snapshot", error))?;
    write(&mut compressed)?;
    let failed = |error: lz4_flex::frame::Error| Error::io("cannot compress a snapshot", error.into());
    let mut file = compressed.finish().map_err(failed)?;
    if file.len() as u64 > FILE_LIMIT - CODE as u64 {
        return Err(Error::invalid(
            format!("the snapshot would have {} bytes as a file, and at most {FILE_LIMIT} can be loaded", file.len()),
            "free memory in the session first",
        ));
    }
    let code = key.code(&file);
    file.extend_from_slice(&code);
    Ok(file)
}

/// Checks the first bytes of a file, of which there are [`HEAD`] or more, and returns those behind them.
///
/// # Errors
/// A message that says what is wrong.
pub(super) fn check_head(file: &[u8]) -> Result<&[u8], Error> {
    let head = file.strip_prefix(MAGIC).and_then(|rest| rest.split_first_chunk());
    let Some((version, rest)) = head else {
        return Err(refused("it is not a snapshot", "name a file that was saved as a snapshot"));
    };
    let version = u32::from_le_bytes(*version);
    if version != VERSION {
        return Err(refused(
            &format!("it has version {version} of the format, and this host loads version {VERSION}"),
            "load it with the version of isolette that saved it",
        ));
    }
    Ok(rest)
}

/// A file that has been checked, as far as it can be without an image.
#[derive(Debug)]
pub(super) struct Decoded {
    pub(super) description: Description,
    file: Vec<u8>,
    /// The position at which the compressed state begins.
    start: usize,
}

impl Decoded {
    /// Checks a file. Without a key, its origin is not checked.
    ///
    /// # Errors
    /// A message that says what is wrong.
    pub(super) fn new(file: Vec<u8>, key: Option<&SnapshotKey>) -> Result<Self, Error> {
        let rest = check_head(&file)?;
        let cut = || refused("it is cut off", "copy the file again from where it was saved");
        let body = file.len().checked_sub(CODE).ok_or_else(cut)?;
        if let Some(key) = key
            && !key.is_code(&file[..body], &file[body..])
        {
            return Err(refused(
                "it was changed, cut off, or saved with another key",
                "load it as the user who saved it, or with the key of that host; \
                 if you trust every byte of it no more than any program, load it as untrusted",
            ));
        }
        let (length, rest) = rest.split_first_chunk().ok_or_else(cut)?;
        let length = u32::from_le_bytes(*length) as usize;
        let text = rest.get(..length).filter(|_| length <= DESCRIPTION_LIMIT).ok_or_else(cut)?;
        let start = MAGIC.len() + 8 + length;
        if start > body {
            return Err(cut());
        }
        let description = serde_json::from_slice(text)
            .map_err(|error| refused(&format!("its description is malformed: {error}"), "save it again"))?;
        let mut file = file;
        file.truncate(body);
        Ok(Self { description, file, start })
    }

    /// The host's side of the run, if the program is paused.
    pub(super) fn run(&self) -> Result<Option<Vec<u8>>, Error> {
        let Some(length) = self.description.run_bytes else { return Ok(None) };
        let mut run = Vec::new();
        let read = self.content().take(length.min(RUN_LIMIT)).read_to_end(&mut run);
        match read {
            Ok(_) if run.len() as u64 == length => Ok(Some(run)),
            _ => Err(refused("the description of its run is malformed", "save it again")),
        }
    }

    /// The state, in the form of the engine.
    pub(super) fn state(&self) -> impl Read {
        let mut content = self.content();
        // If it cannot be read so far, what follows cannot be either.
        let _ = io::copy(&mut (&mut content).take(self.description.run_bytes.unwrap_or(0)), &mut io::sink());
        content
    }

    fn content(&self) -> FrameDecoder<&[u8]> {
        FrameDecoder::new(self.file.get(self.start..).unwrap_or_default())
    }
}

pub(super) fn refused(what: &str, hint: &'static str) -> Error {
    Error::invalid(format!("the snapshot cannot be loaded: {what}"), hint)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const KEY: SnapshotKey = SnapshotKey::new([3; 32]);

    fn description() -> Description {
        Description {
            image: "0f".into(),
            abi: 7,
            isolation: EngineName::Process,
            language: Language::Python,
            processor: "x86_64".into(),
            bytes: 5,
            run_bytes: None,
            system: SystemState::default(),
        }
    }

    fn encoded() -> Vec<u8> {
        encode(&description(), None, &KEY, |out| out.write_all(b"state").map_err(|error| Error::io("", error))).unwrap()
    }

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let decoded = Decoded::new(encoded(), Some(&KEY)).unwrap();
        let mut state = String::new();
        decoded.state().read_to_string(&mut state).unwrap();
        assert_eq!((&*state, decoded.description.bytes), ("state", 5));
    }

    #[test]
    fn a_paused_run_is_read_before_the_state() {
        let description = Description { run_bytes: Some(3), ..description() };
        let write = |out: &mut dyn Write| out.write_all(b"state").map_err(|error| Error::io("", error));
        let file = encode(&description, Some(b"run"), &KEY, write).unwrap();
        let decoded = Decoded::new(file, Some(&KEY)).unwrap();
        let mut state = String::new();
        decoded.state().read_to_string(&mut state).unwrap();
        assert_eq!((decoded.run().unwrap(), &*state), (Some(b"run".to_vec()), "state"));
        let longer = Description { run_bytes: Some(9), ..description };
        let file = encode(&longer, Some(b"run"), &KEY, write).unwrap();
        assert!(Decoded::new(file, Some(&KEY)).unwrap().run().is_err());
    }

    #[test]
    fn a_file_that_was_changed_in_any_place_is_refused() {
        let whole = encoded();
        for position in 0..whole.len() {
            let mut changed = whole.clone();
            changed[position] ^= 1;
            assert!(Decoded::new(changed, Some(&KEY)).is_err(), "{position}");
            assert!(Decoded::new(whole[..position].to_vec(), Some(&KEY)).is_err(), "{position}");
        }
        let mut longer = whole;
        longer.push(0);
        assert!(Decoded::new(longer, Some(&KEY)).is_err());
    }

    #[test]
    fn refusals_say_why() {
        let whole = encoded();
        let mut older = whole.clone();
        older[MAGIC.len()] = 0;
        let other = SnapshotKey::new([4; 32]);
        for (file, key, reason) in [
            (b"text".to_vec(), &KEY, "it is not a snapshot"),
            (older, &KEY, "it has version 0 of the format, and this host loads version 4"),
            (whole[..20].to_vec(), &KEY, "it is cut off"),
            (whole, &other, "it was changed, cut off, or saved with another key"),
        ] {
            let refused = Decoded::new(file, Some(key)).unwrap_err().to_string();
            assert!(refused.starts_with(&format!("the snapshot cannot be loaded: {reason}\nhint: ")), "{refused}");
        }
    }

    proptest! {
        #[test]
        fn no_file_of_unknown_origin_does_harm(rest in proptest::collection::vec(any::<u8>(), 0..300), length in 0_u32..400) {
            let file = [MAGIC, &VERSION.to_le_bytes(), &length.to_le_bytes(), &rest].concat();
            if let Ok(decoded) = Decoded::new(file, None) {
                let mut state = Vec::new();
                let _ = decoded.state().take(1 << 20).read_to_end(&mut state);
            }
        }
    }
}
