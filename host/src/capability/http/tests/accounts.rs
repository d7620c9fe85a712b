//! What is counted, and how far it goes.

use std::{
    io,
    sync::{Mutex, MutexGuard, PoisonError},
};

use tokio::io::AsyncWriteExt;

use super::server::{Received, Server, answer};
use super::*;
use crate::{
    capability::http::{Account, Agreement, Hop, Room, Total},
    policy::{Breach, LimitName, network::Permit},
};

/// Writes down what it hears, and gives a certain number of bytes and of requests.
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

impl Account for Book {
    fn sends(&self, hop: &Hop<'_>, permit: &Permit<'_>) -> Result<Option<Agreement>, HttpError> {
        let mut heard = self.heard();
        heard.sent.push(format!("{} {} by {permit}", hop.method, hop.url.path()));
        if heard.sent.len() > self.requests { Err(HttpError::Budget("no more".into())) } else { Ok(None) }
    }

    fn refused(&self, hop: &Hop<'_>) {
        self.heard().refused.push(format!("{} {}", hop.method, hop.url));
    }

    fn repeats(&self) -> Result<(), HttpError> {
        self.heard().repeated += 1;
        Ok(())
    }

    fn room(&self) -> Room {
        Room { bytes: self.bytes - self.heard().bytes, time: self.time }
    }

    fn flowed(&self, bytes: u64) {
        self.heard().bytes += bytes;
    }

    fn exhausted(&self, total: Total) -> HttpError {
        HttpError::Budget(format!("{total:?}"))
    }

    fn reached(&self, breach: Breach) {
        self.heard().reached.push(breach.name);
    }
}

async fn ask(http: &Http, request: Request<'_>, book: &Book) -> Result<Response, HttpError> {
    http.send(request, Instant::now() + Duration::from_secs(600), book).await
}

#[tokio::test]
async fn hear_of_every_hop_and_of_what_went_over_the_wire() -> io::Result<()> {
    let server = Server::answering(|request| match request.path() {
        "/once" => answer("307 Moved\r\nLocation: /twice", "nobody reads it"),
        "/twice" => answer("308 Moved\r\nLocation: /end", ""),
        "/away" => answer("302 Moved\r\nLocation: http://other.test/secret", ""),
        _ => answer("200 OK", "123"),
    })
    .await?;
    let (http, book) = (http(&[server.rule()]), Book::with(100));
    ask(&http, post(&server.url("/once"), b"body"), &book).await.unwrap_or_else(|error| panic!("{error:?}"));
    let rule = server.rule();
    let sent = ["/once", "/twice", "/end"].map(|path| format!("POST {path} by {rule}"));
    assert_eq!(book.heard().sent, sent);
    // A body that is sent three times counts three times.
    assert_eq!(book.heard().bytes, 3 * 4 + 3);

    let book = Book::with(100);
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
        let book = Book { requests, ..Book::with(100) };
        assert_eq!(ask(&http, get(&server.url("/")), &book).await.err(), refusal);
        assert_eq!(book.heard().sent.len(), 2);
    }
    assert_eq!(server.received().len(), 3);
    Ok(())
}

#[tokio::test]
async fn count_what_came_before_it_broke_off() -> io::Result<()> {
    let server = Server::saying("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\npart").await?;
    let book = Book::with(100);
    let result = ask(&http(&[server.rule()]), post(&server.url("/"), b"body"), &book).await;
    assert!(matches!(result, Err(HttpError::Connect(_))), "{result:?}");
    assert_eq!(book.heard().bytes, 8);
    Ok(())
}

#[tokio::test]
async fn hear_of_what_is_sent_once_more() -> io::Result<()> {
    // The second request on a connection is read and not answered.
    let server = Server::raw(|mut stream| async move {
        Received::read(&mut stream).await?;
        stream.write_all(&answer("200 OK", "ok")).await?;
        Received::read(&mut stream).await?;
        Ok(())
    })
    .await?;
    let (http, book, url) = (http(&[server.rule()]), Book::with(100), server.url("/"));
    for _ in 0..2 {
        let put = Request { method: "PUT", ..post(&url, b"body") };
        ask(&http, put, &book).await.unwrap_or_else(|error| panic!("{error:?}"));
    }
    let heard = book.heard();
    assert_eq!((heard.sent.len(), heard.repeated, server.connections()), (2, 1, 2));
    assert_eq!(heard.bytes, 3 * 4 + 2 * 2);
    Ok(())
}

#[tokio::test]
async fn end_a_response_where_their_room_ends() -> io::Result<()> {
    let server = Server::answering(|_| answer("200 OK", "0123456789")).await?;
    let http = http(&[server.rule()]);
    let book = Book::with(9);
    let result = ask(&http, get(&server.url("/")), &book).await;
    assert!(matches!(&result, Err(HttpError::Budget(why)) if why == "Bytes"), "{result:?}");
    assert_eq!(book.heard().bytes, 9);
    let book = Book::with(10);
    assert!(ask(&http, get(&server.url("/")), &book).await.is_ok_and(|response| !response.truncated));
    Ok(())
}

#[tokio::test]
async fn bound_the_time_of_a_request_under_way() -> io::Result<()> {
    let silent = Server::raw(|stream| async move {
        let _stream = stream;
        std::future::pending().await
    })
    .await?;
    let http = http(&[silent.rule()]);
    let book = Book { time: Duration::from_millis(20), ..Book::with(100) };
    let result = ask(&http, get(&silent.url("/")), &book).await;
    assert!(matches!(&result, Err(HttpError::Budget(why)) if why == "Time"), "{result:?}");
    // What the program itself has said is shorter.
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
        let book = Book::with(100);
        let result = ask(&http, request, &book).await;
        assert_eq!(book.heard().reached, expected, "{result:?}");
        let Err(HttpError::Protocol(why) | HttpError::TooLarge(why)) = result else { panic!("{result:?}") };
        assert!(why.contains("\nhint: "), "{why}");
        assert!(expected.iter().all(|name| why.contains(name.as_str())), "{why}");
    }
    Ok(())
}
