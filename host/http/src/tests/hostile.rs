//! Tests against servers that violate the protocol or do not respond.

use std::{
    io,
    sync::{Mutex, PoisonError, mpsc},
    time::Instant,
};

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::server::{Received, Server};
use super::*;

/// Sends a request to a server that sends these bytes and then closes the connection.
async fn said(bytes: impl Into<Vec<u8>>) -> io::Result<(&'static str, String)> {
    let server = Server::saying(bytes).await?;
    Ok(refused(&http(&[server.rule()]), get(&server.url("/"))).await)
}

#[tokio::test]
async fn servers_that_break_off_never_pass_for_whole() -> io::Result<()> {
    for bytes in [
        "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\npart",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\npart\r\n",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n10\r\npart",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\npart\r\n0\r\n",
        "HTTP/1.1 200 OK\r\nx: 1\r\n",
        "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP",
        "",
    ] {
        let (case, text) = said(bytes).await?;
        assert_eq!(case, "connect", "{bytes:?}: {text}");
        assert!(text.contains("before the response was whole"), "{text}");
    }
    Ok(())
}

#[tokio::test]
async fn servers_that_do_not_speak_the_protocol_are_distinguished() -> io::Result<()> {
    for bytes in [
        "SSH-2.0-OpenSSH_9.9\r\n\r\n",
        "\x16\x03\x01\x02\x00\x01\x00\r\n\r\n",
        "HTTP/1.1 abc OK\r\n\r\n",
        "HTTP/2 200\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\nx: a\0b\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: 99999999999999999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\nx",
        "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n",
    ] {
        let (case, text) = said(bytes).await?;
        assert_eq!(case, "protocol", "{bytes:?}: {text}");
    }
    Ok(())
}

#[tokio::test]
async fn servers_that_send_headers_without_end_are_stopped() -> io::Result<()> {
    let many: String = (0..200).map(|number| format!("x-{number}: y\r\n")).collect();
    let long = format!("x: {}\r\n", "y".repeat(40_000));
    // Twice as long once it is text.
    let latin = [b"HTTP/1.1 200 OK\r\nx: ".to_vec(), vec![0xfc; 20_000], b"\r\n\r\n".to_vec()].concat();
    for bytes in [
        format!("HTTP/1.1 200 OK\r\n{many}content-length: 0\r\n\r\n").into_bytes(),
        format!("HTTP/1.1 200 OK\r\n{long}content-length: 0\r\n\r\n").into_bytes(),
        latin,
        format!("HTTP/1.1 200 {}", "y".repeat(100_000)).into_bytes(),
        format!("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;{}\r\n", "x".repeat(100_000)).into_bytes(),
        format!("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\nx: {}\r\n\r\n", "x".repeat(100_000))
            .into_bytes(),
        "HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n".repeat(10_000).into_bytes(),
    ] {
        let shown = String::from_utf8_lossy(&bytes[..60]).into_owned();
        let (case, text) = said(bytes).await?;
        assert_eq!(case, "protocol", "{shown}: {text}");
        assert!(text.len() < 300, "{text}");
    }
    Ok(())
}

#[tokio::test]
async fn servers_that_send_interim_responses_without_end_are_stopped() -> io::Result<()> {
    let server = Server::raw(|mut stream| async move {
        Received::read(&mut stream).await?;
        loop {
            stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").await?;
        }
    })
    .await?;
    let (case, text) = refused(&http(&[server.rule()]), get(&server.url("/"))).await;
    assert_eq!(case, "protocol");
    assert!(text.contains("1xx"), "{text}");

    // A few are allowed.
    let interim = "HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n".repeat(3);
    let server = Server::saying(format!("{interim}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")).await?;
    let response = expect(&http(&[server.rule()]), get(&server.url("/"))).await;
    assert_eq!((response.status, response.body.as_slice()), (200, &b"ok"[..]));
    Ok(())
}

/// Sends small pieces without end, and notices when the client has closed the connection.
async fn drip(
    start: &'static str,
    drop: &'static str,
) -> io::Result<(Server, tokio::sync::mpsc::UnboundedReceiver<()>)> {
    let (sender, ended) = tokio::sync::mpsc::unbounded_channel();
    let server = Server::raw(move |mut stream| {
        let sender = sender.clone();
        async move {
            Received::read(&mut stream).await?;
            stream.write_all(start.as_bytes()).await?;
            while stream.write_all(drop.as_bytes()).await.is_ok() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            let _ = sender.send(());
            Ok(())
        }
    })
    .await?;
    Ok((server, ended))
}

#[tokio::test]
async fn servers_that_take_for_ever_are_left_in_time() -> io::Result<()> {
    for (start, drop) in [
        ("", ""),
        ("HTTP/1.1 200 OK\r\n", "x: y\r\n"),
        ("HTTP/1.1 200 OK\r\nx: ", "y"),
        ("HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n", "y"),
        ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", "1\r\ny\r\n"),
        ("HTTP/1.1 200 OK\r\n\r\n", "y"),
    ] {
        let (server, mut ended) = drip(start, drop).await?;
        let short = Duration::from_millis(100);
        let http = limited(
            &[server.rule()],
            HttpLimits { time_per_request: Duration::from_secs(600), ..HttpLimits::default() },
        );
        let url = server.url("/");
        let (case, text) = refused(&http, Request { timeout: Some(short), ..get(&url) }).await;
        assert_eq!(case, "timeout", "{start:?}: {text}");
        assert!(text.contains("within the timeout of 100ms"), "{text}");

        let result = http.send(get(&url), Instant::now() + short, &NoHooks).await;
        assert_eq!(
            result.err(),
            Some(HttpError::Timeout(format!("GET {}: the time of the run is over", server.rule())))
        );

        let http = limited(&[server.rule()], HttpLimits { time_per_request: short, ..HttpLimits::default() });
        let (case, text) = refused(&http, Request { timeout: Some(Duration::MAX), ..get(&url) }).await;
        assert_eq!(case, "timeout", "{start:?}: {text}");
        assert!(text.contains("the limit for one request"), "{text}");

        // No work continues for a cancelled request.
        if !drop.is_empty() {
            for _ in 0..3 {
                assert_eq!(ended.recv().await, Some(()));
            }
        }
    }
    Ok(())
}

#[tokio::test]
async fn servers_that_read_nothing_are_left_in_time() -> io::Result<()> {
    let server = Server::raw(|mut stream| async move {
        stream.read_u8().await?;
        std::future::pending().await
    })
    .await?;
    let http = http(&[server.rule()]);
    let url = server.url("/");
    let body = Bytes::from(vec![0; 16 << 20]);
    let request = Request { method: "POST", body, timeout: Some(Duration::from_millis(100)), ..get(&url) };
    assert_eq!(refused(&http, request).await.0, "timeout");
    Ok(())
}

#[tokio::test]
async fn names_that_resolve_for_ever_are_left_in_time() {
    struct Slow(Mutex<mpsc::Receiver<()>>);
    impl Resolve for Slow {
        fn resolve(&self, _: &str, _: u16) -> io::Result<Vec<SocketAddr>> {
            // Until the end of this test.
            let end = self.0.lock().unwrap_or_else(PoisonError::into_inner).recv();
            end.map(|()| Vec::new()).map_err(io::Error::other)
        }
    }
    let (_end, ended) = mpsc::channel();
    let http = Http::with(Network::Full, HttpLimits::default(), Arc::new(Slow(Mutex::new(ended))), Vec::new());
    let request = Request { timeout: Some(Duration::from_millis(50)), ..get("http://example.com/") };
    assert_eq!(refused(&http, request).await.0, "timeout");
    let request = Request { timeout: Some(Duration::ZERO), ..get("http://example.com/") };
    assert_eq!(refused(&http, request).await.0, "timeout");
}

#[tokio::test]
async fn servers_that_answer_early_and_close_are_heard() -> io::Result<()> {
    let server = Server::raw(|mut stream| async move {
        let mut head = [0; 64];
        stream.read_exact(&mut head).await?;
        stream.write_all(b"HTTP/1.1 413 Too Large\r\nconnection: close\r\ncontent-length: 4\r\n\r\nfull").await?;
        tokio::io::copy(&mut stream, &mut tokio::io::sink()).await?;
        Ok(())
    })
    .await?;
    let url = server.url("/");
    let body = Bytes::from(vec![0; 8 << 20]);
    let response = expect(&http(&[server.rule()]), Request { method: "POST", body, ..get(&url) }).await;
    assert_eq!((response.status, response.body.as_slice()), (413, &b"full"[..]));
    Ok(())
}
