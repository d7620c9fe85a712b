//! A minimal HTTP server with persistent connections, so that the measured time is that of the client.

use std::{
    io::{self, BufRead as _, BufReader, Write as _},
    net::{TcpListener, TcpStream},
    thread,
    time::Duration,
};

/// Serves one small JSON body on a free port. Returns the base URL.
pub(crate) fn start() -> io::Result<String> {
    slow(Duration::ZERO)
}

/// Serves the same body, a time after each request.
pub(crate) fn slow(response_time: Duration) -> io::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let url = format!("http://{}", listener.local_addr()?);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || serve(stream, response_time));
        }
    });
    Ok(url)
}

/// Accepts every connection and never responds. Returns the base URL.
pub(crate) fn silent() -> io::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let url = format!("http://{}", listener.local_addr()?);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // Reads until the peer closes the connection.
            thread::spawn(move || io::copy(&mut &stream, &mut io::sink()));
        }
    });
    Ok(url)
}

fn serve(mut stream: TcpStream, response_time: Duration) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let lines = BufReader::new(stream.try_clone()?).lines();
    for line in lines {
        if line?.is_empty() {
            if !response_time.is_zero() {
                thread::sleep(response_time);
            }
            stream.write_all(
                b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 11\r\n\r\n{\"ok\":true}",
            )?;
            stream.flush()?;
        }
    }
    Ok(())
}
