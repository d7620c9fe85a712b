use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use proptest::prelude::*;

use url::{Host, Url};

use super::{Network, allows, cases, url};
use crate::{network::Reach, network::address::Place, network::address::place};

const TABLE: &[(&str, Place)] = &[
    ("1.1.1.1", Place::Public),
    ("93.184.215.14", Place::Public),
    ("100.63.255.255", Place::Public),
    ("100.128.0.0", Place::Public),
    ("172.15.255.255", Place::Public),
    ("172.32.0.0", Place::Public),
    ("192.167.255.255", Place::Public),
    ("198.17.255.255", Place::Public),
    ("223.255.255.255", Place::Public),
    ("127.0.0.1", Place::Loopback),
    ("127.255.255.254", Place::Loopback),
    ("10.0.0.1", Place::Private),
    ("172.16.0.1", Place::Private),
    ("172.31.255.255", Place::Private),
    ("192.168.1.1", Place::Private),
    ("100.64.0.1", Place::Private),
    ("100.127.255.255", Place::Private),
    ("0.0.0.0", Place::Special),
    ("0.1.2.3", Place::Special),
    ("169.254.169.254", Place::Special),
    ("169.254.170.2", Place::Special),
    ("100.100.100.200", Place::Special),
    ("168.63.129.16", Place::Special),
    ("192.0.0.192", Place::Special),
    ("192.0.2.1", Place::Special),
    ("192.88.99.1", Place::Special),
    ("198.18.0.1", Place::Special),
    ("198.51.100.1", Place::Special),
    ("203.0.113.1", Place::Special),
    ("224.0.0.1", Place::Special),
    ("240.0.0.1", Place::Special),
    ("255.255.255.255", Place::Special),
    ("2606:4700:4700::1111", Place::Public),
    ("2a00:1450:4001:80b::200e", Place::Public),
    ("::1", Place::Loopback),
    ("fc00::1", Place::Private),
    ("fdff::1", Place::Private),
    ("::", Place::Special),
    ("::7f00:1", Place::Special),
    ("fe80::1", Place::Special),
    ("fec0::1", Place::Special),
    ("ff02::1", Place::Special),
    ("fd00:ec2::254", Place::Special),
    ("100::1", Place::Special),
    ("2001::1", Place::Special),
    ("2001:20::1", Place::Special),
    ("2001:db8::1", Place::Special),
    ("3fff::1", Place::Special),
    ("5f00::1", Place::Special),
    ("64:ff9b:1::1", Place::Special),
    ("4000::1", Place::Special),
    // Addresses with an IPv4 address embedded.
    ("::ffff:127.0.0.1", Place::Loopback),
    ("::ffff:10.0.0.1", Place::Private),
    ("::ffff:169.254.169.254", Place::Special),
    ("::ffff:1.1.1.1", Place::Public),
    ("64:ff9b::7f00:1", Place::Loopback),
    ("64:ff9b::a00:1", Place::Private),
    ("64:ff9b::101:101", Place::Public),
    ("2002:7f00:1::", Place::Loopback),
    ("2002:a00:1::1", Place::Private),
    ("2002:a9fe:a9fe::", Place::Special),
    ("2002:101:101::1", Place::Public),
];

#[test]
fn are_what_they_are() {
    for (text, expected) in TABLE {
        let address: IpAddr = text.parse().unwrap_or_else(|_| panic!("{text}"));
        assert_eq!(place(address), *expected, "{text}");
        let reaches = [Reach::Public, Reach::Loopback, Reach::Private, Reach::Any].map(|reach| reach.admits(address));
        let admitted = match expected {
            Place::Public => [true, true, true, true],
            Place::Loopback => [false, true, true, true],
            Place::Private => [false, false, true, true],
            Place::Special => [false, false, false, true],
        };
        assert_eq!(reaches, admitted, "{text}");
    }
}

#[test]
fn in_urls_are_refused_by_a_full_network() {
    for (text, expected) in TABLE {
        let host = if text.contains(':') { format!("[{text}]") } else { (*text).to_owned() };
        let decision = Network::Full.decide("GET", &url(&format!("http://{host}/")));
        assert_eq!(decision.is_ok(), *expected == Place::Public, "{text}");
    }
    for spelling in
        ["0x7f.1", "2130706433", "017700000001", "127.1", "0x7f000001", "[::ffff:7f00:1]", "0", "127.0.0.1."]
    {
        assert!(Network::Full.decide("GET", &url(&format!("http://{spelling}/"))).is_err(), "{spelling}");
    }
}

/// A second implementation of the same registry, as ranges of numbers.
fn naively_public(address: IpAddr) -> bool {
    const V4: &[(&str, u32)] = &[
        ("0.0.0.0", 8),
        ("10.0.0.0", 8),
        ("100.64.0.0", 10),
        ("127.0.0.0", 8),
        ("168.63.129.16", 32),
        ("169.254.0.0", 16),
        ("172.16.0.0", 12),
        ("192.0.0.0", 24),
        ("192.0.2.0", 24),
        ("192.88.99.0", 24),
        ("192.168.0.0", 16),
        ("198.18.0.0", 15),
        ("198.51.100.0", 24),
        ("203.0.113.0", 24),
        ("224.0.0.0", 4),
        ("240.0.0.0", 4),
    ];
    const V6: &[(&str, u32)] = &[("2001::", 23), ("2001:db8::", 32), ("3fff::", 20)];
    let inside_v4 = |address: Ipv4Addr| {
        V4.iter().any(|(base, bits)| {
            let base: Ipv4Addr = base.parse().unwrap_or(Ipv4Addr::UNSPECIFIED);
            (address.to_bits() ^ base.to_bits()) >> (32 - bits) == 0
        })
    };
    let inside_v6 = |address: Ipv6Addr, base: &str, bits: u32| {
        let base: Ipv6Addr = base.parse().unwrap_or(Ipv6Addr::UNSPECIFIED);
        (address.to_bits() ^ base.to_bits()) >> (128 - bits) == 0
    };
    match address {
        IpAddr::V4(address) => !inside_v4(address),
        IpAddr::V6(address) => {
            if inside_v6(address, "::ffff:0:0", 96) || inside_v6(address, "64:ff9b::", 96) {
                !inside_v4(Ipv4Addr::from_bits(address.to_bits() as u32))
            } else if inside_v6(address, "2002::", 16) {
                !inside_v4(Ipv4Addr::from_bits((address.to_bits() >> 80) as u32))
            } else {
                inside_v6(address, "2000::", 3) && !V6.iter().any(|(base, bits)| inside_v6(address, base, *bits))
            }
        }
    }
}

fn any_v6() -> impl Strategy<Value = Ipv6Addr> {
    let prefix = prop::sample::select(vec![
        0u128,
        0x0064_ff9b,
        0x2000,
        0x2001_0000,
        0x2001_0db8,
        0x2002,
        0x3fff_0000,
        0xfc00,
        0xfe80,
    ]);
    prop_oneof![
        any::<u128>().prop_map(Ipv6Addr::from_bits),
        any::<u32>().prop_map(|low| Ipv6Addr::from_bits(0xffff_0000_0000 | u128::from(low))),
        any::<u32>().prop_map(|low| Ipv6Addr::from_bits((0x0064_ff9b << 96) | u128::from(low))),
        (prefix, any::<u128>()).prop_map(|(prefix, rest)| {
            let shift = if prefix > 0xffff { 96 } else { 112 };
            Ipv6Addr::from_bits((prefix << shift) | (rest >> (128 - shift)))
        }),
    ]
}

proptest! {
    #![proptest_config(cases(4096))]

    #[test]
    fn are_public_in_both_tables(address in prop_oneof![
        any::<u32>().prop_map(|bits| IpAddr::V4(Ipv4Addr::from_bits(bits))),
        any_v6().prop_map(IpAddr::V6),
    ]) {
        prop_assert_eq!(place(address) == Place::Public, naively_public(address), "{}", address);
    }
}

/// Writes an IPv4 address in one of the many ways that URLs accept: fewer parts, other bases, zeros, a root's dot, wide
/// digits.
fn spell_v4(address: Ipv4Addr, parts: u32, mut dice: u64) -> String {
    let mut roll = |sides: u64| {
        let rolled = dice % sides;
        dice /= sides;
        rolled
    };
    let mut numbers: Vec<u32> = address.octets().iter().take(parts as usize - 1).map(|octet| (*octet).into()).collect();
    numbers.push(address.to_bits() & (u32::MAX >> (8 * (parts - 1))));
    let spelled: Vec<String> = numbers
        .into_iter()
        .map(|number| match roll(5) {
            0 => format!("0x{number:x}"),
            1 => format!("0X{number:012X}"),
            2 => format!("0{number:o}"),
            3 if number > 0 => format!("000{number:o}"),
            _ => number.to_string(),
        })
        .collect();
    let text =
        format!("{}{}", spelled.join(if roll(3) == 0 { "\u{3002}" } else { "." }), if roll(3) == 0 { "." } else { "" });
    match roll(4) {
        0 => text
            .chars()
            .map(|letter| match letter {
                '0'..='9' => char::from_u32(0xff10 + letter as u32 - '0' as u32).unwrap_or(letter),
                other => other,
            })
            .collect(),
        1 => text.bytes().map(|byte| format!("%{byte:02x}")).collect(),
        _ => text,
    }
}

/// Writes an IPv6 address with and without its zeros, in both cases, with its end as IPv4.
fn spell_v6(address: Ipv6Addr, kind: u8) -> String {
    let whole = address.segments().map(|segment| format!("{segment:04X}"));
    match kind % 4 {
        0 => format!("[{address}]"),
        1 => format!("[{}]", whole.join(":")),
        2 => format!("[{}:{}]", whole[..6].join(":"), Ipv4Addr::from_bits(address.to_bits() as u32)),
        _ => format!("[{address}]").to_uppercase(),
    }
}

proptest! {
    #![proptest_config(cases(2048))]

    #[test]
    fn are_the_same_in_every_spelling(
        bits in any::<u32>(),
        inside in prop::sample::select(vec![0x7f00_0001_u32, 0xa9fe_a9fe, 0x0a00_0001, 0xc0a8_0101, 0, 0x6440_0001]),
        chosen in any::<bool>(),
        parts in 1..=4_u32,
        dice in any::<u64>(),
    ) {
        let address = Ipv4Addr::from_bits(if chosen { inside } else { bits });
        let text = format!("http://{}/", spell_v4(address, parts, dice));
        let parsed = url(&text);
        prop_assert_eq!(parsed.host(), Some(Host::Ipv4(address)), "{}", text);
        let public = place(IpAddr::V4(address)) == Place::Public;
        prop_assert_eq!(Network::Full.decide("GET", &parsed).is_ok(), public, "{}", text);
        prop_assert!(allows(&[&address.to_string()], "GET", &text), "{} is what the rule names", text);
        let other = Ipv4Addr::from_bits(address.to_bits() ^ 1);
        prop_assert!(!allows(&[&other.to_string(), "*.example.com", "localhost +private"], "GET", &text), "{}", text);
    }

    #[test]
    fn of_version_6_are_the_same_in_every_spelling(address in any_v6(), kind in any::<u8>(), zone in "[a-z0-9]{1,5}") {
        let text = spell_v6(address, kind);
        let parsed = url(&format!("http://{text}/"));
        prop_assert_eq!(parsed.host(), Some(Host::Ipv6(address)), "{}", text);
        let public = place(IpAddr::V6(address)) == Place::Public;
        prop_assert_eq!(Network::Full.decide("GET", &parsed).is_ok(), public, "{}", text);
        prop_assert!(allows(&[&format!("[{address}]")], "GET", parsed.as_str()), "{}", text);
        // URLs cannot have a zone, so none refers to a link-local interface.
        for mark in ["%", "%25"] {
            let zoned = text.replace(']', &format!("{mark}{zone}]"));
            prop_assert!(Url::parse(&format!("http://{zoned}/")).is_err(), "{}", zoned);
        }
    }
}
