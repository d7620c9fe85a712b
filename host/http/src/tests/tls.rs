use std::{error::Error, io, net::SocketAddr, sync::Mutex};

use rustls::{ServerConfig, pki_types::CertificateDer};
use tokio::io::AsyncWriteExt;
use tokio_rustls::TlsAcceptor;

use super::super::tls::configure;
use super::server::{Received, Server, answer, converse};
use super::*;

/// Resolves every name to loopback.
pub(super) struct Loopback;

impl Resolve for Loopback {
    fn resolve(&self, _: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        Ok(vec![SocketAddr::from(([127, 0, 0, 1], port))])
    }
}

async fn secure(config: Arc<ServerConfig>, names: Arc<Mutex<Vec<String>>>) -> io::Result<Server> {
    let acceptor = TlsAcceptor::from(config);
    Server::raw(move |stream| {
        let (acceptor, names) = (acceptor.clone(), Arc::clone(&names));
        async move {
            let stream = acceptor.accept(stream).await?;
            let (_, session) = stream.get_ref();
            let protocol = session.alpn_protocol().map(|name| String::from_utf8_lossy(name).into_owned());
            let name = format!("{:?} {protocol:?}", session.server_name());
            names.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(name);
            converse(stream, Arc::new(|_: &Received| answer("200 OK", "private")), Arc::default()).await
        }
    })
    .await
}

fn trusting(rules: &[String], trusted: Vec<CertificateDer<'static>>) -> Http {
    Http::with(allowlist(rules), HttpLimits::default(), Arc::new(Loopback), trusted)
}

#[tokio::test]
async fn speaks_to_who_has_the_certificate() -> Result<(), Box<dyn Error>> {
    let (root, config) = super::certificates::server(&["api.test", "*.wild.test", "127.0.0.1"])?;
    let names = Arc::new(Mutex::new(Vec::new()));
    let server = secure(config, Arc::clone(&names)).await?;
    let port = server.port();
    let rules = [format!("https://*.test:{port} +private"), format!("https://127.0.0.1:{port}")];
    let http = trusting(&rules, vec![root]);
    for host in ["api.test", "API.test.", "a.wild.test", "127.0.0.1"] {
        let response = expect(&http, get(&format!("https://{host}:{port}/"))).await;
        assert_eq!(response.body, b"private");
    }
    let seen = names.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
    assert_eq!(seen, ["Some(\"api.test\") None", "Some(\"api.test\") None", "Some(\"a.wild.test\") None", "None None"]);

    for host in ["other.test", "a.b.wild.test", "wild.test"] {
        let (case, text) = refused(&http, get(&format!("https://{host}:{port}/"))).await;
        assert_eq!(case, "tls", "{host}");
        assert!(text.contains(&format!("the certificate of `{host}` is not trusted")), "{text}");
    }
    Ok(())
}

#[tokio::test]
async fn refuses_who_has_none() -> Result<(), Box<dyn Error>> {
    let (_, config) = super::certificates::server(&["api.test"])?;
    let server = secure(config, Arc::default()).await?;
    let rule = format!("https://api.test:{} +private", server.port());
    let (case, text) =
        refused(&trusting(&[rule], Vec::new()), get(&format!("https://api.test:{}/", server.port()))).await;
    assert_eq!(case, "tls");
    assert!(text.contains("is not trusted") && text.contains("hint: "), "{text}");

    // A response that is not TLS, and an empty one.
    for said in ["HTTP/1.1 400 Bad Request\r\n\r\n", ""] {
        let server = Server::raw(move |mut stream| async move { stream.write_all(said.as_bytes()).await }).await?;
        let rule = format!("https://api.test:{} +private", server.port());
        let url = format!("https://api.test:{}/", server.port());
        let (case, text) = refused(&trusting(&[rule], Vec::new()), get(&url)).await;
        assert_eq!(case, "tls", "{text}");
        assert!(text.contains("handshake"), "{text}");
    }
    Ok(())
}

#[tokio::test]
async fn reports_a_truncated_body() -> Result<(), Box<dyn Error>> {
    let (root, config) = super::certificates::server(&["api.test"])?;
    let acceptor = TlsAcceptor::from(config);
    let server = Server::raw(move |stream| {
        let acceptor = acceptor.clone();
        async move {
            let mut stream = acceptor.accept(stream).await?;
            Received::read(&mut stream).await?;
            stream
                .write_all(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\npart of a body that ends with the connection")
                .await?;
            stream.flush().await
            // Without `close_notify`, since an attacker between both could have cut the response.
        }
    })
    .await?;
    let rule = format!("https://api.test:{} +private", server.port());
    let (case, text) =
        refused(&trusting(&[rule], vec![root]), get(&format!("https://api.test:{}/", server.port()))).await;
    assert_eq!(case, "connect", "{text}");
    Ok(())
}

#[test]
fn is_not_tried_on_a_processor_that_cannot() {
    let text = configure(&[], false).err().unwrap_or_default();
    assert!(text.contains("processor") && text.contains("hint: "), "{text}");
    assert!(configure(&[], true).is_ok());
}

#[tokio::test]
async fn is_not_left_by_a_redirect_that_the_policy_does_not_allow() -> Result<(), Box<dyn Error>> {
    let plain = Server::answering(|_| answer("200 OK", "plain")).await?;
    let target = plain.url("/").replace("127.0.0.1", "api.test");
    let (root, config) = super::certificates::server(&["api.test"])?;
    let acceptor = TlsAcceptor::from(config);
    let server = Server::raw(move |stream| {
        let (acceptor, target) = (acceptor.clone(), target.clone());
        async move {
            let stream = acceptor.accept(stream).await?;
            let redirect = move |_: &Received| answer(&format!("302 Found\r\nLocation: {target}"), "");
            converse(stream, Arc::new(redirect), Arc::default()).await
        }
    })
    .await?;
    let url = format!("https://api.test:{}/", server.port());
    let secure_only = format!("https://api.test:{} +private", server.port());
    let http =
        trusting(&[secure_only.clone(), format!("https://api.test:{} +private", plain.port())], vec![root.clone()]);
    assert_eq!(refused(&http, get(&url)).await.0, "denied");
    assert_eq!(plain.connections(), 0);
    let http = trusting(&[secure_only, format!("http://api.test:{} +private", plain.port())], vec![root]);
    assert_eq!(expect(&http, get(&url)).await.body, b"plain");
    Ok(())
}
