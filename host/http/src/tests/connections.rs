//! Tests which connections are reused, and which are not.

use std::{
    io,
    sync::atomic::{AtomicUsize, Ordering},
    time::Instant,
};

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::server::{Received, Server, answer};
use super::*;

#[tokio::test]
async fn are_used_again_by_the_same_sandbox_only() -> io::Result<()> {
    let server = Server::answering(|request| match request.path() {
        "/chunked" => b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n".to_vec(),
        "/204" => b"HTTP/1.1 204 No Content\r\n\r\n".to_vec(),
        "/close" => answer("200 OK\r\nConnection: close", "ok"),
        _ => answer("200 OK", "ok"),
    })
    .await?;
    let one = http(&[server.rule()]);
    for path in ["/", "/chunked", "/204", "/"] {
        expect(&one, get(&server.url(path))).await;
        expect(&one, post(&server.url(path), b"body")).await;
    }
    assert_eq!(server.connections(), 1);
    expect(&http(&[server.rule()]), get(&server.url("/"))).await;
    assert_eq!(server.connections(), 2);
    expect(&one, get(&server.url("/close"))).await;
    expect(&one, get(&server.url("/"))).await;
    assert_eq!(server.connections(), 3);
    Ok(())
}

#[tokio::test]
async fn connections_that_were_closed_are_replaced() -> io::Result<()> {
    // Announces to keep the connection open, but closes it.
    let server = Server::saying(answer("200 OK", "ok")).await?;
    let http = http(&[server.rule()]);
    for _ in 0..20 {
        assert_eq!(expect(&http, get(&server.url("/"))).await.body, b"ok");
        assert_eq!(expect(&http, Request { method: "PUT", ..post(&server.url("/"), b"x") }).await.body, b"ok");
    }
    Ok(())
}

#[tokio::test]
async fn a_request_on_a_broken_connection_is_repeated_only_if_that_is_safe() -> io::Result<()> {
    // The second request on a connection is read and gets no response.
    let server = Server::raw(|mut stream| async move {
        Received::read(&mut stream).await?;
        stream.write_all(&answer("200 OK", "ok")).await?;
        Received::read(&mut stream).await?;
        Ok(())
    })
    .await?;
    let http = http(&[server.rule()]);
    expect(&http, get(&server.url("/"))).await;
    expect(&http, get(&server.url("/"))).await;
    assert_eq!(server.connections(), 2);
    let (case, _) = refused(&http, post(&server.url("/"), b"pay")).await;
    assert_eq!((case, server.connections()), ("connect", 2));
    Ok(())
}

#[tokio::test]
async fn with_something_left_over_are_not_used_again() -> io::Result<()> {
    // An unsolicited second response must not be used for the next request.
    let count = Arc::new(AtomicUsize::new(0));
    let server = Server::raw(move |mut stream| {
        let number = count.fetch_add(1, Ordering::SeqCst);
        async move {
            while Received::read(&mut stream).await?.is_some() {
                let mut bytes = answer("200 OK", format!("honest {number}"));
                bytes.extend(answer("200 OK", "poison"));
                stream.write_all(&bytes).await?;
            }
            Ok(())
        }
    })
    .await?;
    let http = http(&[server.rule()]);
    for number in 0..5 {
        assert_eq!(expect(&http, get(&server.url("/"))).await.body, format!("honest {number}").into_bytes());
    }
    Ok(())
}

#[tokio::test]
async fn of_an_exchange_that_was_dropped_are_closed() -> io::Result<()> {
    let (sender, mut receiver) = tokio::sync::mpsc::unbounded_channel();
    let server = Server::raw(move |mut stream| {
        let sender = sender.clone();
        async move {
            Received::read(&mut stream).await?;
            let _ = sender.send("asked");
            let end = stream.read_u8().await;
            let _ = sender.send(if end.is_err() { "closed" } else { "more" });
            Ok(())
        }
    })
    .await?;
    let http = http(&[server.rule()]);
    let url = server.url("/");
    tokio::select! {
        result = send(&http, get(&url)) => panic!("{result:?}"),
        asked = receiver.recv() => assert_eq!(asked, Some("asked")),
    }
    assert_eq!(receiver.recv().await, Some("closed"));
    Ok(())
}

#[tokio::test]
async fn are_as_many_at_a_time_as_allowed() -> io::Result<()> {
    // Responds when a second request has arrived; with one slot that never happens.
    let both = Arc::new(tokio::sync::Barrier::new(2));
    let server = Server::raw(move |mut stream| {
        let both = Arc::clone(&both);
        async move {
            Received::read(&mut stream).await?;
            both.wait().await;
            stream.write_all(&answer("200 OK", "ok")).await
        }
    })
    .await?;
    let url = server.url("/");
    let two = limited(&[server.rule()], HttpLimits { concurrent: 2, ..HttpLimits::default() });
    let (first, second) = tokio::join!(send(&two, get(&url)), send(&two, get(&url)));
    assert!(first.is_ok() && second.is_ok());

    let one = limited(&[server.rule()], HttpLimits { concurrent: 1, ..HttpLimits::default() });
    let beside = async {
        let short = Request { timeout: Some(Duration::from_millis(100)), ..get(&url) };
        assert!(matches!(send(&one, short).await, Err(HttpError::Timeout(_))));
        // A denied request does not wait for a slot.
        assert_eq!(refused(&one, get("http://evil.test/")).await.0, "denied");
    };
    tokio::select! {
        biased;
        result = send(&one, get(&url)) => panic!("{result:?}"),
        () = beside => {}
    }
    Ok(())
}

#[tokio::test]
async fn refused_are_reported() -> io::Result<()> {
    let server = Server::answering(|_| answer("200 OK", "")).await?;
    let (rule, url) = (server.rule(), server.url("/"));
    drop(server);
    let http = http(&[rule]);
    // The listener closes when its task is next polled.
    loop {
        match send(&http, get(&url)).await {
            Ok(_) => tokio::task::yield_now().await,
            Err(HttpError::Connect(text)) => {
                assert!(text.contains(&url.trim_end_matches('/').to_owned()), "{text}");
                return Ok(());
            }
            Err(error) => panic!("{error:?}"),
        }
    }
}

/// Prints measurements: `cargo test --release -p isolette -- --ignored --nocapture round_trip`.
#[tokio::test]
#[ignore = "prints figures, proves nothing"]
async fn round_trip() -> io::Result<()> {
    let server = Server::answering(|_| answer("200 OK", "{}")).await?;
    let url = server.url("/");
    for (name, fresh) in [("kept connection", false), ("new connection", true)] {
        let mut http = http(&[server.rule()]);
        let mut times = Vec::new();
        for _ in 0..2000 {
            if fresh {
                http = super::http(&[server.rule()]);
            }
            let start = Instant::now();
            expect(&http, get(&url)).await;
            times.push(start.elapsed());
        }
        times.sort_unstable();
        println!("{name}: median {:?}, 99th percentile {:?}", times[1000], times[1980]);
    }
    Ok(())
}
