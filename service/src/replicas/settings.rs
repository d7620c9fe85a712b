//! The settings of a store that several servers share.

use std::{fmt, time::Duration};

use isolette::SnapshotKey;

/// A store that several servers share, so that each continues the sandboxes of the others.
#[derive(Clone)]
#[non_exhaustive]
pub struct SharedStore {
    /// `s3://BUCKET/PREFIX` or `file:///FOLDER`, as [`Objects::open`](isolette_objects::Objects::open) takes it. Write access to it
    /// decides what sandboxes may do: it is for these servers only.
    pub place: String,
    /// The key by which the servers recognize states of one another, the same for all of them. Default: that of the user.
    pub key: Option<SnapshotKey>,
    /// The URL at which the other servers reach this one, such as `http://10.0.3.7:7070`. Default: the address that it listens at.
    pub advertise: Option<String>,
    /// Time after which the others take over the sandboxes of a server that does not report that it runs. Default: 15 seconds. The clocks
    /// of the servers should differ by less than a third of it.
    pub lease: Duration,
}

impl SharedStore {
    /// A store with the default settings.
    #[must_use]
    pub fn new(place: impl Into<String>) -> Self {
        Self { place: place.into(), key: None, advertise: None, lease: Duration::from_secs(15) }
    }
}

impl fmt::Debug for SharedStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, advertise, lease, .. } = self;
        let mut text = formatter.debug_struct("SharedStore");
        text.field("place", place).field("advertise", advertise).field("lease", lease).finish_non_exhaustive()
    }
}
