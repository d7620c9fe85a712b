//! Tests what the hooks count and limit.

use std::{
    io,
    sync::{Mutex, MutexGuard, PoisonError},
};

use tokio::io::AsyncWriteExt;

use super::server::{Received, Server, answer};
use super::*;
use crate::{Agreement, Hop, RequestHooks, Room, Total};
use isolette_policy::network::Permit;
use isolette_types::{LimitHit, LimitName};

/// Records the calls of the hooks, and allows a fixed number of bytes and of requests.
struct Book {
    requests: usize,
    bytes: u64,
    time: Duration,
    heard: Mutex<Heard>,
}

#[derive(Default)]
struct Heard {
    sent: Vec<String>,
    refused: Vec<String>,
    repeated: usize,
    bytes: u64,
    reached: Vec<LimitName>,
}

impl Book {
    fn with(bytes: u64) -> Self {
        Self { requests: usize::MAX, bytes, time: Duration::MAX, heard: Mutex::default() }
    }

    fn heard(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RequestHooks for Book {
    fn before_send(&self, hop: &Hop<'_>, permit: &Permit<'_>) -> Result<Option<Agreement>, HttpError> {
        let mut heard = self.heard();
        heard.sent.push(format!("{} {} by {permit}", hop.method, hop.url.path()));
        if heard.sent.len() > self.requests { Err(HttpError::Budget("no more".into())) } else { Ok(None) }
    }

    fn refused(&self, hop: &Hop<'_>) {
        self.heard().refused.push(format!("{} {}", hop.method, hop.url));
    }

    fn before_repeat(&self) -> Result<(), HttpError> {
        self.heard().repeated += 1;
        Ok(())
    }

    fn remaining(&self) -> Room {
        Room { bytes: self.bytes - self.heard().bytes, time: self.time }
    }

    fn transferred(&self, bytes: u64) {
        self.heard().bytes += bytes;
    }

    fn exhausted(&self, total: Total) -> HttpError {
        HttpError::Budget(format!("{total:?}"))
    }

    fn limit_reached(&self, limit_hit: LimitHit) {
        self.heard().reached.push(limit_hit.name);
    }
}

async fn ask(http: &Http, request: Request<'_>, book: &Book) -> Result<Response, HttpError> {
    http.send(request, Instant::now() + Duration::from_secs(600), book).await
}

#[tokio::test]
async fn hear_of_every_hop_and_of_what_went_over_the_wire() -> io::Result<()> {
    let server = Server::answering(|request| match request.path() {
        "/once" => answer("307 Moved\r\nLocation: /twice", "unread"),
        "/twice" => answer("308 Moved\r\nLocation: /end", ""),
        "/away" => answer("302 Moved\r\nLocation: http://other.test/secret", ""),
        _ => answer("200 OK", "123"),
    })
    .await?;
    let (http, book) = (http(&[server.rule()]), Book::with(10_000));
    ask(&http, post(&server.url("/once"), b"body"), &book).await.unwrap_or_else(|error| panic!("{error:?}"));
    let rule = server.rule();
    let sent = ["/once", "/twice", "/end"].map(|path| format!("POST {path} by {rule}"));
    assert_eq!(book.heard().sent, sent);
    // A body that is sent three times counts three times, and so do all received bytes, read or not.
    let came = [
        answer("307 Moved\r\nLocation: /twice", "unread"),
        answer("308 Moved\r\nLocation: /end", ""),
        answer("200 OK", "123"),
    ];
    assert_eq!(book.heard().bytes, 3 * 4 + came.concat().len() as u64);

    let book = Book::with(10_000);
    assert!(matches!(ask(&http, get(&server.url("/away")), &book).await, Err(HttpError::Denied(_))));
    assert_eq!(book.heard().sent, [format!("GET /away by {rule}")]);
    assert_eq!(book.heard().refused, ["GET http://other.test/secret"]);
    Ok(())
}

#[tokio::test]
async fn may_refuse_any_hop() -> io::Result<()> {
    let server = Server::answering(|request| match request.path() {
        "/" => answer("302 Found\r\nLocation: /next", ""),
        _ => answer("200 OK", ""),
    })
    .await?;
    let http = http(&[server.rule()]);
    for (requests, refusal) in [(2, None), (1, Some(HttpError::Budget("no more".into())))] {
        let book = Book { requests, ..Book::with(10_000) };
        assert_eq!(ask(&http, get(&server.url("/")), &book).await.err(), refusal);
        assert_eq!(book.heard().sent.len(), 2);
    }
    assert_eq!(server.received().len(), 3);
    Ok(())
}

#[tokio::test]
async fn count_what_came_before_it_broke_off() -> io::Result<()> {
    let part = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\npart";
    let server = Server::saying(part).await?;
    let book = Book::with(10_000);
    let result = ask(&http(&[server.rule()]), post(&server.url("/"), b"body"), &book).await;
    assert!(matches!(result, Err(HttpError::Connect(_))), "{result:?}");
    assert_eq!(book.heard().bytes, 4 + part.len() as u64);
    Ok(())
}

#[tokio::test]
async fn hear_of_what_is_sent_once_more() -> io::Result<()> {
    // The second request on a connection is read and gets no response.
    let server = Server::raw(|mut stream| async move {
        Received::read(&mut stream).await?;
        stream.write_all(&answer("200 OK", "ok")).await?;
        Received::read(&mut stream).await?;
        Ok(())
    })
    .await?;
    let (http, book, url) = (http(&[server.rule()]), Book::with(10_000), server.url("/"));
    for _ in 0..2 {
        let put = Request { method: "PUT", ..post(&url, b"body") };
        ask(&http, put, &book).await.unwrap_or_else(|error| panic!("{error:?}"));
    }
    let heard = book.heard();
    assert_eq!((heard.sent.len(), heard.repeated, server.connections()), (2, 1, 2));
    assert_eq!(heard.bytes, 3 * 4 + 2 * answer("200 OK", "ok").len() as u64);
    Ok(())
}

#[tokio::test]
async fn end_a_response_where_their_room_ends() -> io::Result<()> {
    let server = Server::answering(|_| answer("200 OK", "0123456789")).await?;
    let http = http(&[server.rule()]);
    let whole = answer("200 OK", "0123456789").len() as u64;
    let book = Book::with(whole - 1);
    let result = ask(&http, get(&server.url("/")), &book).await;
    assert!(matches!(&result, Err(HttpError::Budget(why)) if why == "Bytes"), "{result:?}");
    assert_eq!(book.heard().bytes, whole - 1);
    let book = Book::with(whole);
    assert!(ask(&http, get(&server.url("/")), &book).await.is_ok_and(|response| !response.truncated));
    Ok(())
}

#[tokio::test]
async fn bound_the_time_of_a_request_in_flight() -> io::Result<()> {
    let silent = Server::raw(|stream| async move {
        let _stream = stream;
        std::future::pending().await
    })
    .await?;
    let http = http(&[silent.rule()]);
    let book = Book { time: Duration::from_millis(20), ..Book::with(100) };
    let result = ask(&http, get(&silent.url("/")), &book).await;
    assert!(matches!(&result, Err(HttpError::Budget(why)) if why == "Time"), "{result:?}");
    // The timeout of the program itself is shorter.
    let url = silent.url("/");
    let request = Request { timeout: Some(Duration::from_millis(5)), ..get(&url) };
    assert!(matches!(ask(&http, request, &book).await, Err(HttpError::Timeout(_))));
    Ok(())
}

#[tokio::test]
async fn hear_which_limit_it_was() -> io::Result<()> {
    let server = Server::answering(|request| match request.path() {
        "/loop" => answer("302 Moved\r\nLocation: /loop", ""),
        "/headers" => answer(&format!("200 OK\r\n{}", "x: y\r\n".repeat(9)), ""),
        _ => answer("200 OK", ""),
    })
    .await?;
    let limits = HttpLimits { redirects: 3, headers: 8, header_bytes: 64, request_bytes: 3, ..HttpLimits::default() };
    let http = limited(&[server.rule()], limits);
    let (long, many) = ("y".repeat(65), [("x", "y"); 9]);
    let long = [("x", long.as_str())];
    for (request, expected) in [
        (get(&server.url("/loop")), vec![LimitName::HttpRedirects]),
        (Request { redirects: 2, ..get(&server.url("/loop")) }, vec![]),
        (get(&server.url("/headers")), vec![LimitName::HttpHeaders, LimitName::HttpHeaderBytes]),
        (Request { headers: &many, ..get(&server.url("/")) }, vec![LimitName::HttpHeaders]),
        (Request { headers: &long, ..get(&server.url("/")) }, vec![LimitName::HttpHeaderBytes]),
        (post(&server.url("/"), b"body"), vec![LimitName::HttpBody]),
    ] {
        let book = Book::with(10_000);
        let result = ask(&http, request, &book).await;
        assert_eq!(book.heard().reached, expected, "{result:?}");
        let Err(HttpError::Protocol(why) | HttpError::TooLarge(why)) = result else { panic!("{result:?}") };
        assert!(why.contains("\nhint: "), "{why}");
        assert!(expected.iter().all(|name| why.contains(name.as_str())), "{why}");
    }
    Ok(())
}

/// A response with a content coding.
fn coded(coding: &str, body: &[u8]) -> Vec<u8> {
    answer(&format!("200 OK\r\ncontent-encoding: {coding}"), body)
}

/// Responses of many bytes that decode to nothing, or to nothing that a program receives.
fn for_nothing() -> Vec<(&'static str, Vec<u8>)> {
    const LENGTH: usize = 200_000;
    let gzip_of_nothing = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let chunked = |chunk: &str| {
        let head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
        format!("{head}{}0\r\n\r\n", chunk.repeat(LENGTH / chunk.len())).into_bytes()
    };
    let interim = format!("HTTP/1.1 103 Early Hints\r\nx: {}\r\n\r\n", "y".repeat(7000)).repeat(8);
    vec![
        ("empty gzip members", coded("gzip", &gzip_of_nothing.repeat(LENGTH / gzip_of_nothing.len()))),
        ("empty stored blocks", coded("deflate", &[&[0, 0, 0, 255, 255].repeat(LENGTH / 5)[..], &[3, 0]].concat())),
        ("what is no gzip", coded("gzip", &vec![b'x'; LENGTH])),
        ("small chunks", chunked("1\r\nx\r\n")),
        ("chunks with extensions", chunked("1;an=extension\r\nx\r\n")),
        ("interim responses", [interim.into_bytes(), answer("200 OK", "")].concat()),
        ("a redirect with a body", answer("302 Found\r\nlocation: http://other.test/", vec![b'x'; LENGTH])),
        (
            "what breaks off",
            [b"HTTP/1.1 200 OK\r\ncontent-length: 999999\r\n\r\n".to_vec(), vec![b'x'; LENGTH]].concat(),
        ),
        ("a head that has no end", [b"HTTP/1.1 200 OK\r\nx: ".to_vec(), vec![b'x'; LENGTH]].concat()),
        ("no answer at all", vec![b'x'; LENGTH]),
        ("more than was announced", [answer("200 OK", "ok"), vec![b'x'; LENGTH]].concat()),
    ]
}

#[tokio::test]
async fn count_what_came_over_the_wire_whatever_became_of_it() -> io::Result<()> {
    for (what, wire) in for_nothing() {
        let length = wire.len() as u64;
        let server = Server::saying(wire).await?;
        let book = Book::with(u64::MAX);
        let result = ask(&http(&[server.rule()]), get(&server.url("/")), &book).await;
        let bytes = book.heard().bytes;
        assert!(bytes <= length, "{what}: {bytes} of {length}");
        match result {
            // Bytes after a complete response are left unread.
            Ok(response) if response.body != b"ok" => assert_eq!(bytes, length, "{what}"),
            _ => assert!(bytes > 40, "{what}: {bytes} of {length}"),
        }
    }
    Ok(())
}

#[tokio::test]
async fn have_an_end_for_what_comes_to_nothing() -> io::Result<()> {
    const ROOM: u64 = 20_000;
    for (what, wire) in for_nothing() {
        let server = Server::saying(wire).await?;
        let (http, book) = (http(&[server.rule()]), Book::with(ROOM));
        // A redirect, and bytes after a response, are not read, but they were received.
        for _ in 0..1000 {
            let result = ask(&http, get(&server.url("/")), &book).await;
            if matches!(&result, Err(HttpError::Budget(why)) if why == "Bytes") || book.heard().bytes == ROOM {
                break;
            }
        }
        assert_eq!(book.heard().bytes, ROOM, "{what}");
    }
    Ok(())
}

#[tokio::test]
async fn count_what_it_became_if_that_is_more() -> io::Result<()> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    io::Write::write_all(&mut gzip, &[0; 100_000])?;
    let wire = coded("gzip", &gzip.finish()?);
    let server = Server::saying(wire).await?;
    let book = Book::with(u64::MAX);
    assert!(ask(&http(&[server.rule()]), get(&server.url("/")), &book).await.is_ok());
    assert_eq!(book.heard().bytes, 100_000);
    Ok(())
}

#[tokio::test]
async fn count_what_came_before_the_time_was_over() -> io::Result<()> {
    let server = Server::raw(|mut stream| async move {
        Received::read(&mut stream).await?;
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n").await?;
        let _stream = stream;
        std::future::pending().await
    })
    .await?;
    let (book, url) = (Book::with(u64::MAX), server.url("/"));
    let request = Request { timeout: Some(Duration::from_millis(300)), ..get(&url) };
    assert!(matches!(ask(&http(&[server.rule()]), request, &book).await, Err(HttpError::Timeout(_))));
    assert_eq!(book.heard().bytes, 38);
    Ok(())
}
