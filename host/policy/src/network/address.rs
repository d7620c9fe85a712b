//! Classifies the IP addresses that a guest may or may not connect to.
//!
//! A DNS name can be pointed at any address, so the host checks the address itself and not the name that resolved to
//! it. An address that is not known to be a public unicast address is not public.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use serde::Serialize;

/// The class of an address for network rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A public unicast address of the Internet.
    Public,
    /// This machine.
    Loopback,
    /// A private network: RFC 1918, carrier-grade NAT, unique local addresses.
    Private,
    /// An address that no name should resolve to: link-local, metadata services, multicast, unspecified, reserved.
    Special,
}

/// The addresses that a permit allows. Each case includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Reach {
    /// Public addresses only.
    Public,
    /// Also this machine's loopback addresses: the rule's host is `localhost`.
    Loopback,
    /// Also private networks: the rule says `+private`. Never link-local (where clouds keep their metadata services),
    /// multicast or unspecified addresses.
    Private,
    /// Any address: the rule has it literally.
    Any,
}

impl Reach {
    /// Returns whether a connection to this address is allowed.
    #[must_use]
    pub fn admits(self, address: IpAddr) -> bool {
        let needed = match place(address) {
            Place::Public => Self::Public,
            Place::Loopback => Self::Loopback,
            Place::Private => Self::Private,
            Place::Special => Self::Any,
        };
        self >= needed
    }
}

/// Returns the class of an address.
pub fn place(address: IpAddr) -> Place {
    match address {
        IpAddr::V4(address) => place_v4(address),
        IpAddr::V6(address) => place_v6(address),
    }
}

/// Implements the IANA registry of special-purpose addresses, and the metadata services that clouds keep outside of it.
fn place_v4(address: Ipv4Addr) -> Place {
    match address.octets() {
        [127, ..] => Place::Loopback,
        // Metadata services: Alibaba, Azure.
        [100, 100, 100, 200] | [168, 63, 129, 16] => Place::Special,
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] | [100, 64..=127, ..] => Place::Private,
        // "This network", link-local (and most metadata services), IETF assignments (and Oracle's metadata service),
        // documentation, 6to4 relays, benchmarking, multicast, reserved, broadcast.
        [0 | 224..=255, ..]
        | [169, 254, ..]
        | [192, 0, 0 | 2, _]
        | [192, 88, 99, _]
        | [198, 18 | 19, ..]
        | [198, 51, 100, _]
        | [203, 0, 113, _] => Place::Special,
        _ => Place::Public,
    }
}

fn place_v6(address: Ipv6Addr) -> Place {
    let embedded = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        place_v4(Ipv4Addr::new(a, b, c, d))
    };
    match address.segments() {
        [0, 0, 0, 0, 0, 0, 0, 1] => Place::Loopback,
        // Mapped IPv4, NAT64, 6to4: packets are routed by the embedded IPv4 address.
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => {
            embedded(high, low)
        }
        // Amazon's metadata service is inside the unique local range.
        [0xfd00, 0x0ec2, 0, 0, 0, 0, 0, 0x254] => Place::Special,
        [0xfc00..=0xfdff, ..] => Place::Private,
        // IETF assignments with Teredo and ORCHID, documentation (two ranges): inside global unicast, yet not public.
        [0x2001, 0..=0x1ff | 0x0db8, ..] | [0x3fff, 0..=0x0fff, ..] => Place::Special,
        [0x2000..=0x3fff, ..] => Place::Public,
        _ => Place::Special,
    }
}
