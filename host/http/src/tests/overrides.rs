//! Tests requests that servers may treat as others.

use std::io;

use super::server::{Server, answer};
use super::*;

const NONE: &[(&str, &str)] = &[];

#[tokio::test]
async fn are_refused_where_the_other_would_be() -> io::Result<()> {
    let server = Server::answering(|_| answer("200 OK", "")).await?;
    let form = ("content-type", "application/x-www-form-urlencoded");
    let multipart = ("content-type", "multipart/form-data; boundary=b");
    let json = ("content-type", "application/json");
    let part = b"--b\r\ncontent-disposition: form-data; name=\"_method\"\r\n\r\nDELETE\r\n--b--\r\n";
    for (rule, allowed) in [
        (format!("GET,POST {}/v1", server.rule()), false),
        (format!("GET,POST,PUT,PATCH,DELETE {}", server.rule()), true),
        (server.rule(), true),
    ] {
        let http = http(&[rule]);
        for (path, headers, body) in [
            ("/v1", &[("X-HTTP-Method-Override", "DELETE")][..], &b""[..]),
            ("/v1", &[("X_HTTP_Method_Override", "delete")], b""),
            ("/v1", &[("X-Method-Override", "GET, PUT")], b""),
            ("/v1", &[("X-HTTP-Method", " PATCH")], b""),
            ("/v1", &[("X-Original-URL", "/v2")], b""),
            ("/v1", &[("X-Rewrite-Url", "/v1/..%2fv2")], b""),
            ("/v1?_method=delete", NONE, b""),
            ("/v1?a=b&%5Fmethod=PUT", NONE, b""),
            ("/v1?x-http-method-override=PUT", NONE, b""),
            ("/v1?%24httpMethod=PUT", NONE, b""),
            ("/v1", &[form], b"a=b&_method=DELETE"),
            ("/v1", &[multipart], part),
            (
                "/v1",
                &[multipart],
                b"--b\r\ncontent-disposition: form-data; name=\".method\"\r\n\r\nDELETE\r\n--b--\r\n",
            ),
            ("/v1", &[json], b"{\"a\": 1, \"_method\": \"DELETE\"}"),
            ("/v1", &[json], b"{\"\\u005fmethod\": \"DELETE\"}"),
            ("/v1", &[json], b"{\"_method\": \"DELETE\",}"),
            ("/v1", &[("content-type", "application/vnd.api+json")], b"{\"_method\": \"put\"}"),
            ("/v1?.method=delete", NONE, b""),
            ("/v1?%20_method=delete", NONE, b""),
            ("/v1?x.http.method.override=PUT", NONE, b""),
            ("/v1", &[form], b"+.method=DELETE"),
            ("/v1", &[("X.HTTP.Method.Override", "DELETE")], b""),
            ("/v1", &[("X-Forwarded-Uri", "/v2")], b""),
            ("/v1", &[("X-Forwarded-Path", "/v2")], b""),
            ("/v1", &[("X-Envoy-Original-Path", "/v2")], b""),
            ("/v1", &[("X_Original_Path", "/v2")], b""),
        ] {
            let url = server.url(path);
            let before = server.received().len();
            let sent = send(&http, Request { headers, ..post(&url, body) }).await;
            match sent {
                Ok(_) => assert!(allowed || path.contains("never"), "{path} {headers:?}"),
                Err(HttpError::Denied(why)) => {
                    let climbs = headers.iter().any(|(_, value)| value.contains(".."));
                    assert!(!allowed || climbs, "{path} {headers:?}: {why}");
                    assert!(why.contains("by which a server may take it for another request: "), "{why}");
                    assert!(why.contains("\nhint: ") && server.received().len() == before, "{why}");
                }
                other => panic!("{other:?}"),
            }
        }
        // A field that specifies the same request, or only resembles such a field, is allowed.
        for (path, headers, body) in [
            ("/v1", &[("X-HTTP-Method-Override", "POST")][..], &b""[..]),
            ("/v1", &[("X-HTTP-Method-Override", "GET")], b""),
            ("/v1", &[("X-HTTP-Method-Override", "")], b""),
            ("/v1?method=DELETE&_methods=DELETE", NONE, b""),
            ("/v1", &[json], b"_method=DELETE"),
            ("/v1", &[json], b"{\"method\": \"DELETE\", \"params\": {\"_method\": \"DELETE\"}}"),
            ("/v1", &[json], b"[\"_method\", \"DELETE\"]"),
            ("/v1", &[("X-Forwarded-Path", "/v1/a")], b""),
            ("/v1", &[multipart], b"--b\r\ncontent-disposition: form-data; name=\"x\"\r\n\r\nmy_method\r\n--b--\r\n"),
        ] {
            let url = server.url(path);
            expect(&http, Request { headers, ..post(&url, body) }).await;
        }
    }
    Ok(())
}

#[tokio::test]
async fn have_an_end() -> io::Result<()> {
    let server = Server::answering(|_| answer("200 OK", "")).await?;
    let many: Vec<String> = (0..200).map(|number| format!("M{number}")).collect();
    let many = many.join(",");
    let url = server.url("/");
    let request = Request { headers: &[("x-http-method-override", &many)], ..post(&url, b"") };
    let (case, why) = refused(&http(&[server.rule()]), request).await;
    assert!(case == "denied" && why.contains("more than 16"), "{why}");
    Ok(())
}
