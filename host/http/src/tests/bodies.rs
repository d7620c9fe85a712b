use std::io::{self, Write};

use flate2::{Compression, write};
use proptest::prelude::*;

use super::super::body::{Coding, Decoder};
use super::server::{Server, answer};
use super::*;

fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = write::GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}

fn zlib(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = write::ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}

fn deflate(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = write::DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// `hello\n` as the reference encoder wrote it.
const BROTLI_HELLO: &[u8] = b"\x8f\x02\x80\x68\x65\x6c\x6c\x6f\x0a\x03";

fn decode(coding: Coding, limit: usize, bytes: &[u8], step: usize) -> io::Result<(Vec<u8>, bool)> {
    let mut decoder = Decoder::new(coding, limit);
    for chunk in bytes.chunks(step.max(1)) {
        if decoder.push(chunk)?.is_break() {
            break;
        }
    }
    decoder.finish()
}

#[test]
fn are_decoded_whatever_the_pieces() -> io::Result<()> {
    let text = "the same words, the same words and some more\n".repeat(200).into_bytes();
    let mut two_members = gzip(&text[..4000])?;
    two_members.extend(gzip(&text[4000..])?);
    for step in [1, 2, 7, 100, usize::MAX] {
        for (coding, bytes) in [
            (Coding::Identity, text.clone()),
            (Coding::Gzip, gzip(&text)?),
            (Coding::Gzip, two_members.clone()),
            (Coding::Deflate, zlib(&text)?),
            (Coding::Deflate, deflate(&text)?),
        ] {
            assert_eq!(decode(coding, 1 << 20, &bytes, step)?, (text.clone(), false), "{coding:?} by {step}");
            assert_eq!(decode(coding, text.len(), &bytes, step)?, (text.clone(), false), "{coding:?} by {step}");
            assert_eq!(decode(coding, 999, &bytes, step)?, (text[..999].to_vec(), true), "{coding:?} by {step}");
            assert_eq!(decode(coding, 0, &bytes, step)?, (Vec::new(), true), "{coding:?} by {step}");
        }
        assert_eq!(decode(Coding::Brotli, 6, BROTLI_HELLO, step)?, (b"hello\n".to_vec(), false));
        assert_eq!(decode(Coding::Brotli, 5, BROTLI_HELLO, step)?, (b"hello".to_vec(), true));
    }
    for coding in [Coding::Identity, Coding::Gzip, Coding::Deflate, Coding::Brotli] {
        assert_eq!(decode(coding, 10, b"", 1)?, (Vec::new(), false), "{coding:?}");
    }
    Ok(())
}

#[test]
fn bodies_that_end_early_or_are_damaged_are_errors() -> io::Result<()> {
    let text: Vec<u8> = (0..5000_u32).flat_map(|number| number.wrapping_mul(2_654_435_761).to_be_bytes()).collect();
    for (coding, bytes) in [
        (Coding::Gzip, gzip(&text)?),
        (Coding::Deflate, zlib(&text)?),
        (Coding::Deflate, deflate(&text)?),
        (Coding::Brotli, BROTLI_HELLO.to_vec()),
    ] {
        for end in [1, 2, bytes.len() / 2, bytes.len() - 1] {
            assert!(decode(coding, 1 << 20, &bytes[..end], 1000).is_err(), "{coding:?} up to {end}");
        }
        assert!(decode(coding, 1 << 20, b"\xff\xff<html>this is not coded at all</html>", 1000).is_err(), "{coding:?}");
    }
    let mut damaged = gzip(&text)?;
    let checksum = damaged.len() - 8;
    damaged[checksum] ^= 1;
    assert!(decode(Coding::Gzip, 1 << 20, &damaged, 1000).is_err());
    Ok(())
}

#[test]
fn cannot_be_bombs() -> io::Result<()> {
    let bomb = gzip(&vec![0; 64 << 20])?;
    assert!(bomb.len() < 100_000);
    let (body, truncated) = decode(Coding::Gzip, 1 << 20, &bomb, usize::MAX)?;
    assert_eq!((body.len(), truncated), (1 << 20, true));

    // A window of 1 GiB, requested by two bytes.
    assert!(decode(Coding::Brotli, 1 << 20, b"\x11\x1e\0\0\0\0", usize::MAX).is_err());

    // Empty blocks without end.
    let mut decoder = Decoder::new(Coding::Deflate, 1000);
    let blocks = [0, 0, 0, 0xff, 0xff].repeat(2000);
    assert!((0..100).any(|_| decoder.push(&blocks).is_err()));
    Ok(())
}

#[test]
fn of_other_codings_are_left_as_they_are() {
    let coding = |values: &[&'static str]| {
        let mut headers = hyper::HeaderMap::new();
        for value in values {
            headers.append("content-encoding", hyper::header::HeaderValue::from_static(value));
        }
        Coding::of(&headers)
    };
    assert_eq!(coding(&["GZIP"]), Coding::Gzip);
    assert_eq!(coding(&["x-gzip"]), Coding::Gzip);
    assert_eq!(coding(&["deflate"]), Coding::Deflate);
    assert_eq!(coding(&["br"]), Coding::Brotli);
    for values in [&[][..], &["identity"], &["zstd"], &["gzip, gzip"], &["gzip", "gzip"], &["utf-8"], &[""]] {
        assert_eq!(coding(values), Coding::Identity, "{values:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn never_panic_or_outgrow_the_limit(
        bytes in prop::collection::vec(any::<u8>(), 0..2000),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        step in 1..600_usize,
    ) {
        let valid = [
            gzip(&bytes).unwrap_or_default(), zlib(&bytes).unwrap_or_default(), deflate(&bytes).unwrap_or_default(),
            BROTLI_HELLO.to_vec(), bytes,
        ];
        for mut stream in valid {
            for (index, value) in flips.iter().filter(|_| !stream.is_empty()).collect::<Vec<_>>() {
                let index = index.index(stream.len());
                stream[index] = *value;
            }
            for coding in [Coding::Gzip, Coding::Deflate, Coding::Brotli] {
                if let Ok((body, _)) = decode(coding, 1500, &stream, step) {
                    prop_assert!(body.len() <= 1500);
                }
            }
        }
    }
}

#[tokio::test]
async fn arrive_decoded_with_headers_that_fit() -> io::Result<()> {
    let text = "abc".repeat(1000);
    let coded = gzip(text.as_bytes())?;
    let length = coded.len().to_string();
    let server = Server::answering(move |request| match request.path() {
        "/zstd" => answer("200 OK\r\nContent-Encoding: zstd", "(coded)"),
        "/empty" => answer("200 OK\r\nContent-Encoding: gzip", ""),
        "/204" => b"HTTP/1.1 204 No Content\r\nContent-Encoding: gzip\r\n\r\n".to_vec(),
        "/206" => answer("206 Partial Content\r\nContent-Encoding: gzip", &coded[..20]),
        "/broken" => answer("200 OK\r\nContent-Encoding: gzip", &coded[..20]),
        _ if request.line.starts_with("HEAD") => {
            format!("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {}\r\n\r\n", coded.len()).into_bytes()
        }
        _ => answer("200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip", &coded),
    })
    .await?;
    let http = http(&[server.rule()]);
    let response = expect(&http, get(&server.url("/"))).await;
    assert_eq!(response.body, text.as_bytes());
    assert_eq!(response.headers, [("Content-Type".to_owned(), "text/plain".to_owned())]);

    let response = expect(&http, get(&server.url("/zstd"))).await;
    assert_eq!((response.body.as_slice(), header(&response, "content-encoding")), (&b"(coded)"[..], Some("zstd")));
    let response = expect(&http, get(&server.url("/206"))).await;
    assert_eq!((response.body.len(), header(&response, "content-encoding")), (20, Some("gzip")));
    for path in ["/empty", "/204"] {
        assert_eq!(expect(&http, get(&server.url(path))).await.body, b"");
    }
    let response = expect(&http, Request { method: "HEAD", ..get(&server.url("/")) }).await;
    assert_eq!((response.body.len(), header(&response, "content-length")), (0, Some(length.as_str())));
    let (case, text) = refused(&http, get(&server.url("/broken"))).await;
    assert_eq!(case, "protocol");
    assert!(text.contains("content-encoding"), "{text}");
    Ok(())
}

#[tokio::test]
async fn longer_than_the_limit_are_cut_and_say_so() -> io::Result<()> {
    let coded = gzip(&vec![b'x'; 1 << 20])?;
    let server = Server::answering(move |request| match request.path() {
        "/gzip" => answer("200 OK\r\nContent-Encoding: gzip", &coded),
        "/exact" => answer("200 OK", vec![b'x'; 1000]),
        "/chunked" => b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3E8\r\n"
            .iter()
            .copied()
            .chain([b'x'; 1000])
            .chain(*b"\r\n1\r\nx\r\n0\r\n\r\n")
            .collect(),
        _ => answer("200 OK", vec![b'x'; 1001]),
    })
    .await?;
    let http = limited(&[server.rule()], HttpLimits { response_bytes: 1000, ..HttpLimits::default() });
    for (path, truncated) in [("/gzip", true), ("/exact", false), ("/chunked", true), ("/over", true)] {
        let response = expect(&http, get(&server.url(path))).await;
        assert_eq!((response.body.as_slice(), response.truncated), (&[b'x'; 1000][..], truncated), "{path}");
    }
    Ok(())
}
