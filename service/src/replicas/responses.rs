//! Requests with an idempotency key, so that a request that is sent again to another server is not done twice.

use isolette_objects::Version;
use serde::{Deserialize, Serialize};

use super::{Record, Replicas, keys};
use crate::{
    clock::{self, Moment},
    failure::Failure,
    store::responses::{self, KeyedResponse},
};

/// A request with a key, and its response once there is one.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct ResponseRecord {
    /// The replica that answers the request.
    holder: Option<String>,
    nonce: String,
    created: Moment,
    /// The digest of the request.
    request: String,
    /// The status and the body of the response.
    response: Option<(u16, String)>,
}

impl Record for ResponseRecord {
    fn holder(&self) -> Option<&String> {
        self.holder.as_ref()
    }
}

/// The state of a request with a key, among all servers.
pub(crate) enum Keyed {
    /// It was answered.
    Answered(KeyedResponse),
    /// Another server answers it.
    InUse,
    /// This server is the one to answer it.
    Begun(KeyedRequest),
}

/// A request that this server answers, for all of them.
pub(crate) struct KeyedRequest {
    key: String,
    record: ResponseRecord,
    version: Version,
}

impl Replicas {
    /// Notes that this server answers a request with a key, unless it was answered or another server does. No other request of this
    /// process must have the key at the same time.
    pub(crate) async fn begin_keyed(&self, owner: &str, key: &str, request: &str) -> Result<Keyed, Failure> {
        let key = keys::response(owner, key);
        let found = self.read::<ResponseRecord>(&key).await?;
        let version = match found {
            Some((record, version)) if responses::is_kept(record.created) => {
                if let Some((status, body)) = record.response {
                    let body = body.into_bytes();
                    return Ok(Keyed::Answered(KeyedResponse { request: record.request, status, body }));
                }
                // A server that is gone has not answered, and one that answers it still counts as being there.
                if record.holder.as_ref() != Some(&self.id) && self.is_held(record.holder.as_deref()).await? {
                    return Ok(Keyed::InUse);
                }
                Some(version)
            }
            found => found.map(|(_, version)| version),
        };
        let record = ResponseRecord {
            holder: Some(self.id.clone()),
            nonce: crate::id::random_text(),
            created: clock::now(),
            request: request.to_owned(),
            response: None,
        };
        match self.swap_own(&key, &record, version.as_ref()).await? {
            Some(version) => Ok(Keyed::Begun(KeyedRequest { key, record, version })),
            None => Ok(Keyed::InUse),
        }
    }

    /// Keeps the response to a request, or forgets the request if there is none to be repeated.
    pub(crate) async fn end_keyed(&self, begun: KeyedRequest, response: Option<(u16, &[u8])>) -> Result<(), Failure> {
        let KeyedRequest { key, mut record, version } = begun;
        let text = response.and_then(|(status, body)| Some((status, String::from_utf8(body.to_vec()).ok()?)));
        let Some(response) = text else { return Ok(self.objects.delete(&key).await?) };
        (record.response, record.nonce) = (Some(response), crate::id::random_text());
        // If another server regards this one as gone, that server answers the request.
        self.swap_own(&key, &record, Some(&version)).await.map(drop)
    }
}
