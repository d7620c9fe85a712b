//! A naive comparison of rules and URLs: compares the text of the rule with the request that would be sent.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use url::Url;

/// A rule in a simple form.
#[derive(Debug)]
pub struct Rule<'a> {
    methods: Vec<&'a str>,
    scheme: Option<&'a str>,
    below: bool,
    host: String,
    port: Option<u16>,
    path: Vec<&'a str>,
}

impl<'a> Rule<'a> {
    /// Parses a rule that the policy printed. Returns `None` for a path with special characters.
    #[must_use]
    pub fn read(text: &'a str) -> Option<Self> {
        let mut words: Vec<&str> = text.split(' ').collect();
        if words.last() == Some(&"+private") {
            words.pop();
        }
        let target = words.pop()?;
        let methods = words.pop().map(|methods| methods.split(',').collect()).unwrap_or_default();
        let (scheme, rest) = target.split_once("://").map_or((None, target), |(scheme, rest)| (Some(scheme), rest));
        let (authority, path) = rest.split_once('/').map_or((rest, ""), |(authority, path)| (authority, path));
        let (below, authority) = authority.strip_prefix("*.").map_or((false, authority), |authority| (true, authority));
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, Some(port.parse().ok()?)),
            _ => (authority, None),
        };
        let path: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~@:".contains(&byte);
        if !path.iter().all(|segment| segment.bytes().all(plain)) {
            return None;
        }
        Some(Self { methods, scheme, below, host: host.to_owned(), port, path })
    }

    /// Returns whether the rule may allow the request, for every known interpretation of the path by a server.
    #[must_use]
    pub fn may_match(&self, method: &str, url: &Url) -> bool {
        let host = url.host_str().unwrap_or_default().trim_end_matches('.');
        let host_fits = match self.below {
            false => host == self.host,
            true => {
                let (labels, below): (Vec<_>, Vec<_>) = (host.split('.').collect(), self.host.split('.').collect());
                labels.len() > below.len() && labels.ends_with(&below) && host.parse::<IpAddr>().is_err()
            }
        };
        let usual = |scheme: &str| if scheme == "https" { 443 } else { 80 };
        let port = url.port_or_known_default();
        (self.methods.is_empty() || self.methods.contains(&method.to_ascii_uppercase().as_str()))
            && ["http", "https"].contains(&url.scheme())
            && self.scheme.is_none_or(|scheme| scheme == url.scheme())
            && host_fits
            && port == Some(self.port.unwrap_or(usual(url.scheme())))
            && readings(url.path()).iter().all(|path| below(&self.path, path))
    }

    /// Returns whether the rule must allow the request.
    #[must_use]
    pub fn must_match(&self, method: &str, url: &Url) -> bool {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_~/".contains(&byte);
        url.path().bytes().all(plain) && !url.path().contains("//") && self.may_match(method, url)
    }
}

fn below(prefix: &[&str], path: &str) -> bool {
    let mut segments = Vec::new();
    for segment in path.split('/').filter(|segment| !segment.is_empty()) {
        match segment {
            "." => {}
            ".." => drop(segments.pop()),
            other => segments.push(other),
        }
    }
    prefix.is_empty()
        || (segments.len() >= prefix.len() && segments.iter().zip(prefix).all(|(have, want)| have == want))
}

/// Returns the known interpretations of a path by servers.
fn readings(path: &str) -> Vec<String> {
    let mut all = vec![path.to_owned()];
    for _ in 0..4 {
        let more: Vec<String> = all.iter().map(|path| decoded(path)).collect();
        all.extend(more);
        all.dedup();
    }
    let with = |all: &mut Vec<String>, change: fn(&str) -> String| {
        let more: Vec<String> = all.iter().map(|path| change(path)).collect();
        all.extend(more);
    };
    with(&mut all, |path| path.replace('\u{ff0e}', ".").replace('\u{ff0f}', "/").replace('\u{2024}', "."));
    // Letters and digits of every script are kept: a server that drops them would climb with `..я`, which is a name.
    with(&mut all, |path| path.chars().filter(|c| c.is_ascii_graphic() || c.is_alphanumeric()).collect());
    with(&mut all, |path| path.replace('\\', "/"));
    with(&mut all, |path| {
        let cut = |segment: &str| segment.split([';', '?', '#']).next().unwrap_or_default().to_owned();
        path.split('/').map(cut).collect::<Vec<_>>().join("/")
    });
    all
}

/// Decodes percent-encoding once, byte by byte. Invalid UTF-8 becomes U+FFFD.
fn decoded(path: &str) -> String {
    let (bytes, mut result, mut at) = (path.as_bytes(), Vec::new(), 0);
    while at < bytes.len() {
        let digits = bytes.get(at + 1..at + 3).and_then(|digits| std::str::from_utf8(digits).ok());
        let wide = bytes.get(at + 2..at + 6).and_then(|digits| std::str::from_utf8(digits).ok());
        let wide = wide.filter(|digits| {
            bytes[at + 1].eq_ignore_ascii_case(&b'u') && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
        });
        if let (b'%', Some(character)) =
            (bytes[at], wide.and_then(|digits| char::from_u32(u32::from_str_radix(digits, 16).ok()?)))
        {
            result.extend(character.to_string().bytes());
            at += 6;
            continue;
        }
        let hex = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        match (bytes[at], hex.and_then(|digits| u8::from_str_radix(digits, 16).ok())) {
            (b'%', Some(byte)) => {
                result.push(byte);
                at += 3;
            }
            (byte, _) => {
                result.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&result).into_owned()
}

/// Returns whether an address is not a public address: one of this machine, of a private network, or reserved.
#[must_use]
pub fn is_inside(address: IpAddr) -> bool {
    const RANGES: [([u8; 4], u32); 16] = [
        ([0, 0, 0, 0], 8),
        ([10, 0, 0, 0], 8),
        ([100, 64, 0, 0], 10),
        ([127, 0, 0, 0], 8),
        ([168, 63, 129, 16], 32),
        ([169, 254, 0, 0], 16),
        ([172, 16, 0, 0], 12),
        ([192, 0, 0, 0], 24),
        ([192, 0, 2, 0], 24),
        ([192, 88, 99, 0], 24),
        ([192, 168, 0, 0], 16),
        ([198, 18, 0, 0], 15),
        ([198, 51, 100, 0], 24),
        ([203, 0, 113, 0], 24),
        ([224, 0, 0, 0], 4),
        ([240, 0, 0, 0], 4),
    ];
    let v4 = |address: Ipv4Addr| {
        let number = address.to_bits();
        RANGES.iter().any(|(start, bits)| (number ^ u32::from_be_bytes(*start)).leading_zeros() >= *bits)
    };
    match address {
        IpAddr::V4(address) => v4(address),
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(address) => v4(address),
            None => {
                let global = address.to_bits() >> 125 == 1;
                let inside = |text: &str, bits: u32| {
                    let start: Ipv6Addr = text.parse().expect("an address");
                    (address.to_bits() ^ start.to_bits()).leading_zeros() >= bits
                };
                // NAT64 and 6to4 addresses contain the IPv4 address that they lead to.
                let translated = inside("64:ff9b::", 96) && !v4(Ipv4Addr::from_bits(address.to_bits() as u32));
                let tunnelled = inside("2002::", 16) && v4(Ipv4Addr::from_bits((address.to_bits() >> 80) as u32));
                let reserved = inside("2001::", 23) || inside("2001:db8::", 32) || inside("3fff::", 20);
                (!global && !translated) || tunnelled || reserved
            }
        },
    }
}
