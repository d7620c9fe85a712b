//! Texts that are too long for a model, kept for a while so that clients can fetch the whole.
//!
//! Each text has an unguessable address, so that only the client that got the result can fetch it.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use rmcp::model::{ContentBlock, Resource};

use super::handles::chance;

/// Maximum size of all texts in bytes; the oldest are removed first.
const BYTES: usize = 64 << 20;

/// How long a text is kept.
const TIME: Duration = Duration::from_secs(15 * 60);

#[derive(Default)]
pub(crate) struct Kept(Mutex<VecDeque<Text>>);

struct Text {
    uri: String,
    text: String,
    since: Instant,
}

impl Kept {
    /// Keeps a text and returns its address.
    fn keep(&self, name: &str, text: String) -> String {
        let uri = format!("isolette://kept/{}/{name}", chance());
        let mut texts = self.texts();
        texts.push_back(Text { uri: uri.clone(), text, since: Instant::now() });
        while texts.iter().map(|text| text.text.len()).sum::<usize>() > BYTES {
            texts.pop_front();
        }
        uri
    }

    /// Keeps a text and returns its address, both as text and as content of a result.
    pub(crate) fn link(&self, name: &str, text: &str) -> (String, ContentBlock) {
        let uri = self.keep(name, text.to_owned());
        let mut link = Resource::new(uri.clone(), name);
        link.mime_type = Some("text/plain".into());
        link.size = Some(text.len() as u64);
        (uri, ContentBlock::resource_link(link))
    }

    /// The text, if it is still kept.
    pub(crate) fn read(&self, uri: &str) -> Option<String> {
        self.texts().iter().find(|text| text.uri == uri).map(|text| text.text.clone())
    }

    fn texts(&self) -> MutexGuard<'_, VecDeque<Text>> {
        let mut texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        texts.retain(|text| text.since.elapsed() < TIME);
        texts
    }
}
