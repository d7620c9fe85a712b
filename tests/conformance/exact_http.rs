//! Requests and responses, sign by sign: names of headers, targets of requests, and bodies in pieces.
//!
//! Expectations are what the same libraries do on a computer, with CPython 3.11, requests 2.34, httpx 0.28 and Node 20.

use isolette::RunOptions;
use isolette_tests::{
    Case,
    exact_server::{ExactRequest, ExactServer},
    scenario,
};
use serde_json::{Value, json};

const TEXT: [&str; 4] = ["line one\n", "line two\r\nli", "ne drei ü\n", "end"];

fn response(head: &str, body: &[u8]) -> Vec<u8> {
    let mut bytes = format!("HTTP/1.1 {head}\r\nContent-Length: {}\r\n\r\n", body.len()).into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

fn server() -> ExactServer {
    ExactServer::start(|request: &ExactRequest| match request.target.as_str() {
        "/names" => response(
            "200 OK\r\nContent-Type: application/json\r\nX-Mixed-CASE: 1\r\nETag: \"abc\"\r\nSet-Cookie: a=1; Path=/\r\n\
             x-lower: 2\r\nset-cookie: b=2\r\nX-Rate: 1\r\nX-RATE: 2",
            b"{\"a\": 1}",
        ),
        "/big" => response("200 OK\r\nContent-Type: application/octet-stream", &[7; 256_000]),
        "/none" => b"HTTP/1.1 204 No Content\r\n\r\n".to_vec(),
        "/text" => {
            let mut bytes =
                b"HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n"
                    .to_vec();
            for piece in TEXT {
                bytes.extend(format!("{:x}\r\n{piece}\r\n", piece.len()).into_bytes());
            }
            bytes.extend(b"0\r\n\r\n");
            bytes
        }
        _ => {
            let body = json!({"target": request.target, "headers": request.headers});
            response("200 OK\r\nContent-Type: application/json", body.to_string().as_bytes())
        }
    })
}

fn run(case: &Case, targets: &[&str]) -> Value {
    let server = server();
    let sandbox = case.builder().base_url(&server.origin()).build().unwrap();
    let result = sandbox.run_with(&case.program(), RunOptions::new().variable("TARGETS", targets)).unwrap();
    result.value.unwrap_or_else(|| panic!("{:?}", result.error))
}

#[scenario(programs = ["network/header_names"])]
fn names_of_headers_are_spelled_as_they_were_sent(case: &Case) {
    let value = run(case, &[]);
    let joined = json!({
        "Content-Type": "application/json", "X-Mixed-CASE": "1", "ETag": "\"abc\"", "Set-Cookie": "a=1; Path=/, b=2",
        "x-lower": "2", "X-Rate": "1, 2", "Content-Length": "8",
    });
    let as_sent = ["X-API-Key", "x-lower", "X_Under", "content-TYPE"];
    let cookies = ["a=1; Path=/", "b=2"];
    let expected = case.pick(
        json!({
            "http_get": [joined, "application/json", "application/json", true, cookies, true],
            "requests": [joined, "application/json", cookies, [["a", "1"], ["b", "2"]]],
            "httpx": [
                [
                    "Content-Type", "X-Mixed-CASE", "ETag", "Set-Cookie", "x-lower", "set-cookie", "X-Rate", "X-RATE",
                    "Content-Length",
                ],
                "application/json", cookies,
            ],
            "urllib": [pairs(), "application/json", cookies],
            "http.client": pairs(),
            "sent": {
                "http_post": as_sent, "requests": as_sent, "httpx": as_sent, "http.client": as_sent,
                // The library writes names so.
                "urllib": ["X-Api-Key", "X-Lower", "X_Under", "Content-Type"],
            },
            "repeated": [["X-A", "1"], ["x-a", "2"], ["X-B", "3"]],
            "usual": ["Host", "User-Agent"],
        }),
        json!({
            "http_get": [joined, "application/json", "application/json", true, joined, true, true],
            "fetch": [
                [
                    "content-length", "content-type", "etag", "set-cookie", "set-cookie", "x-lower", "x-mixed-case", "x-rate",
                ],
                "application/json", cookies,
            ],
            "sent": {
                "http_post": as_sent,
                "fetch": as_sent,
            },
        }),
    );
    similar_asserts::assert_eq!(value, expected);
}

fn pairs() -> Value {
    json!([
        ["Content-Type", "application/json"],
        ["X-Mixed-CASE", "1"],
        ["ETag", "\"abc\""],
        ["Set-Cookie", "a=1; Path=/"],
        ["x-lower", "2"],
        ["set-cookie", "b=2"],
        ["X-Rate", "1"],
        ["X-RATE", "2"],
        ["Content-Length", "8"],
    ])
}

#[scenario(programs = ["network/streams"], only = Python, because = "these are Python's libraries")]
fn bodies_are_read_in_pieces_as_from_a_connection(case: &Case) {
    let lines = ["line one", "line two", "line drei ü", "end"];
    let text = TEXT.concat();
    let expected = json!({
        "httpx": {
            "iter_raw": [256_000, true, true, 256_000],
            "iter_raw by size": [100_000, 100_000, 56_000],
            "iter_bytes by size": [100_000, 100_000, 56_000],
            "iter_text": text,
            "iter_lines": lines,
            "read": [false, 35, true, "end", 35],
            "content before read": "ResponseNotRead",
            "twice": "StreamConsumed",
            "read after iteration": "StreamConsumed",
            "after the end": "StreamClosed",
            "raw of a complete one": "StreamConsumed",
            "iter_bytes of a complete one": [10, 10, 10, 5],
            "length": "256000",
        },
        "httpx asynchronously": [
            [35, true, 35], lines, text, [35, true], [100_000, 100_000, 56_000], "StreamConsumed",
        ],
        "requests": {
            "iter_content": [100_000, 100_000, 56_000],
            "iter_content by byte": 35,
            "iter_lines": lines,
            "raw.read": [10, 10, 255_990, 0, true],
            "raw.stream": [100_000, 100_000, 56_000],
            "raw.readinto": 5,
            "raw by line": 4,
            "content after a part": [5, 255_995],
            "content after all": "RuntimeError",
            "closed": true,
            "copied": 256_000,
        },
        "urllib": {
            "read": [5, 0, 255_995, 0, false, true],
            "readline": [9, 10, 13, 3, 0],
            "lines": [9, 10, 13, 3],
            "readinto": 5,
            "read1 and peek": [5, [7, 7, 7]],
            "as text": ["line one\n", "line two\n", "line drei ü\n", "end"],
            "length": 256_000,
            "without a length": null,
            "one after the other": [[200, 35], [200, 256_000], [204, 0], [200, 35]],
        },
    });
    similar_asserts::assert_eq!(run(case, &[]), expected);
}

/// A URL after its origin, and what requests, httpx, urllib and `http.client` send of it; then `fetch`. The host resolves `.` and `..`, which the
/// last two do not, and encodes `"`, which no URI may contain.
const TARGETS: [(&str, [&str; 5]); 32] = [
    ("", ["/", "/", "/", "/", "/"]),
    ("?a=1", ["/?a=1", "/?a=1", "/?a=1", "/?a=1", "/?a=1"]),
    ("/?", ["/", "/?", "/?", "/?", "/"]),
    same("/q?u=http://x.y/z"),
    same("/q?u=http://x.y:80/z?b=2&c=//d"),
    same("//a//b"),
    same("/a//b?c=//d"),
    same("/http://x.y/z"),
    (
        "/%7Euser/%2F/%20",
        ["/~user/%2F/%20", "/%7Euser/%2F/%20", "/%7Euser/%2F/%20", "/%7Euser/%2F/%20", "/%7Euser/%2F/%20"],
    ),
    ("/a%zz", ["/a%25zz", "/a%zz", "/a%zz", "/a%zz", "/a%zz"]),
    ("/a b?c d", ["/a%20b?c%20d", "/a%20b?c%20d", "InvalidURL", "InvalidURL", "/a%20b?c%20d"]),
    same("/a+b?c+d"),
    (
        "/ü?ü=é",
        [
            "/%C3%BC?%C3%BC=%C3%A9",
            "/%C3%BC?%C3%BC=%C3%A9",
            "UnicodeEncodeError",
            "UnicodeEncodeError",
            "/%C3%BC?%C3%BC=%C3%A9",
        ],
    ),
    ("/a?b#c", ["/a?b", "/a?b", "/a?b", "/a?b", "/a?b"]),
    ("/a?#c", ["/a", "/a?", "/a?", "/a?", "/a"]),
    ("#c", ["/", "/", "/", "HTTP", "/"]),
    same("/a;b=c?d;e"),
    ("/a?x='q'", ["/a?x='q'", "/a?x='q'", "/a?x='q'", "/a?x='q'", "/a?x=%27q%27"]),
    ("/a?y=\"z\"", ["/a?y=%22z%22"; 5]),
    ("/a?{x}|", ["/a?%7Bx%7D%7C", "/a?{x}|", "/a?{x}|", "/a?{x}|", "/a?{x}|"]),
    same("/a:b@c"),
    same("/a?&&"),
    same("/a?="),
    same("/a??b?c"),
    ("/a[1]?b[]=1", ["/a%5B1%5D?b%5B%5D=1", "/a[1]?b[]=1", "/a[1]?b[]=1", "/a[1]?b[]=1", "/a[1]?b[]=1"]),
    same("/*"),
    ("/~a!$&'()*+,;=:@", ["/~a!$&'()*+,;=:@"; 5]),
    same("/a?q=~!$&()*+,;=:@/?"),
    same("/%E2%82%AC?x=%E2%82%AC"),
    ("/a?x=%2b%2B+", ["/a?x=%2B%2B+", "/a?x=%2b%2B+", "/a?x=%2b%2B+", "/a?x=%2b%2B+", "/a?x=%2b%2B+"]),
    ("/a/./b/", ["/a/b/"; 5]),
    ("/a/../b", ["/b"; 5]),
];

const fn same(target: &'static str) -> (&'static str, [&'static str; 5]) {
    (target, [target; 5])
}

#[scenario(programs = ["network/targets"])]
fn servers_see_the_targets_that_libraries_send(case: &Case) {
    let found = run(case, &TARGETS.map(|(target, _)| target));
    let mut expected = Value::Object(serde_json::Map::new());
    for (target, [requests, httpx, urllib, client, fetch]) in TARGETS {
        // `http.client` writes anything. A target without a slash at the beginning cannot be a URL's.
        let client = if client == "HTTP" { "HttpError" } else { client };
        // `http_get` sends what is written, and encodes the rest as URLs are.
        let http_get = match target {
            "/a?#c" => "/a?",
            _ if target.ends_with(['\'', '?']) => target,
            _ => fetch,
        };
        expected[target] = case.pick(
            json!({
                "requests": requests, "httpx": httpx, "urllib": urllib, "http.client": client, "http_get": http_get,
            }),
            json!({"fetch": fetch, "http_get": http_get}),
        );
    }
    similar_asserts::assert_eq!(found, expected);
}
