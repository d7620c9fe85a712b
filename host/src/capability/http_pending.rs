use crate::{Error, policy::{Limits, network::Network}};
#[derive(Debug)] pub(crate) struct Http;
impl Http { pub(crate) fn new(_: Network, _: &Limits) -> Result<Self, Error> { Ok(Self) } }
