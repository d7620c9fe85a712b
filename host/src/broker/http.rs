//! HTTP requests: budget, the request itself, the record.

use isolette_abi::{
    encode,
    http::{HttpError, Request, Response},
};

use super::{Broker, Stop};

impl Broker {
    pub(super) fn http(&mut self, _request: &Request<'_>) -> Result<Vec<u8>, Stop> {
        Ok(encode::<Result<Response<'_>, HttpError>>(&Err(HttpError::Denied("pending".into()))))
    }
}
