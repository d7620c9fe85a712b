//! Clients that ask and do not read: what waits for them is bounded, and they do not delay the end of the server.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    path::PathBuf,
    sync::mpsc,
    thread,
    time::Duration,
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use isolette_tests::host_test;
use serde_json::{Value, json};

use crate::{
    runs::config,
    server::{Server, text},
    servers::{ALICE, JSON},
};

const MIB: u64 = 1 << 20;

/// The time in which a server has to end that has to end in a few seconds.
const END: Duration = Duration::from_secs(60);

/// The size of the file that is downloaded: the maximum of a server without settings.
const FILE: u64 = 64 * MIB;

fn server(service: &str) -> Server {
    let config = config(&format!(
        "[service]\n{service}\n[sandbox]\ntimeout = '60s'\nlimits.value = '16MiB'\nlimits.stdout = '16MiB'"
    ));
    Server::start(&["--http", "127.0.0.1:0", "--token", "alice=env:ALICE", "--config", &config])
}

fn ask(server: &Server, method: &str, path: &str, body: Option<Value>) -> crate::server::Reply {
    let body = body.map(|body| body.to_string().into_bytes());
    server.send(method, path, &[JSON, ALICE], body)
}

fn create(server: &Server) -> String {
    let made = ask(server, "POST", "/v1/sandboxes", Some(json!({}))).expect(201);
    text(&made, "id").to_owned()
}

/// Runs a program in a sandbox. Returns the path of the run.
fn run(server: &Server, sandbox: &str, code: &str) -> String {
    let run = ask(server, "POST", &format!("/v1/sandboxes/{sandbox}/runs"), Some(json!({ "code": code }))).expect(200);
    assert_eq!(run["state"], "succeeded", "{run}");
    format!("/v1/runs/{}", text(&run, "id"))
}

/// A response of which only the head was read.
struct Unread {
    head: String,
    body: BufReader<TcpStream>,
}

impl Unread {
    fn get(server: &Server, path: &str) -> Self {
        Self::ask(
            server,
            &format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer alice-secret\r\n"),
            "",
        )
    }

    /// With the headers that E2B's clients send to a sandbox.
    fn of_e2b(server: &Server, sandbox: &str, request: &str, body: &str) -> Self {
        let head = format!(
            "{request} HTTP/1.1\r\nhost: localhost\r\nx-api-key: alice-secret\r\ne2b-sandbox-id: {sandbox}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n",
            body.len()
        );
        Self::ask(server, &head, body)
    }

    fn ask(server: &Server, head: &str, body: &str) -> Self {
        let address = server.url().strip_prefix("http://").expect("an address");
        let mut stream = TcpStream::connect(address).expect("the server listens");
        stream.write_all(format!("{head}connection: close\r\n\r\n{body}").as_bytes()).expect("it is read");
        // The buffer has little of the body.
        let mut body = BufReader::with_capacity(1024, stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") && body.read_line(&mut head).expect("text") > 0 {}
        Self { head: head.to_ascii_lowercase(), body }
    }

    fn status(&self) -> u16 {
        self.head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_else(|| panic!("{}", self.head))
    }

    fn length(&self) -> Option<u64> {
        let line = self.head.lines().find_map(|line| line.strip_prefix("content-length: "))?;
        Some(line.trim().parse().expect("a number"))
    }

    /// Reads the body to the end of the connection. Returns how long it was, and whether every byte was 0.
    fn drain(mut self) -> (u64, bool) {
        let (mut length, mut is_zero, mut part) = (0, true, vec![0; 64 << 10]);
        loop {
            match self.body.read(&mut part) {
                Ok(count) if count > 0 => {
                    length += count as u64;
                    is_zero &= part[..count].iter().all(|byte| *byte == 0);
                }
                _ => return (length, is_zero),
            }
        }
    }

    /// Reads a body of JSON to its end.
    fn json(mut self) -> Value {
        let length = usize::try_from(self.length().expect("a length")).expect("it fits");
        let mut body = vec![0; length];
        self.body.read_exact(&mut body).expect("the whole body");
        serde_json::from_slice(&body).expect("JSON")
    }
}

/// The memory of a server, measured from now on.
struct Memory {
    process: String,
    before: u64,
}

impl Memory {
    fn of(server: &Server) -> Self {
        let process = format!("/proc/{}", server.process().as_raw_nonzero());
        // The system forgets the most that there was so far.
        fs::write(format!("{process}/clear_refs"), "5").expect("it is a process of this user");
        let before = Self::field(&process, "VmRSS:");
        Self { process, before }
    }

    /// How much more there was at most.
    fn most(&self) -> u64 {
        Self::field(&self.process, "VmHWM:").saturating_sub(self.before)
    }

    fn field(process: &str, name: &str) -> u64 {
        let status = fs::read_to_string(format!("{process}/status")).expect("it runs");
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("{status}"));
        line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") << 10
    }

    #[track_caller]
    fn assert_below(&self, bytes: u64) {
        let most = self.most();
        println!("{} MiB more", most / MIB);
        assert!(most < bytes, "{} MiB more, and {} MiB are allowed", most / MIB, bytes / MIB);
    }
}

/// The folder of the only sandbox of a server.
fn folder(server: &Server) -> PathBuf {
    let mut folders = fs::read_dir(server.state().join("sandboxes")).expect("a folder");
    folders.next().expect("one").expect("an entry").path()
}

/// Waits for the end of a server that was told to end.
fn assert_ends(mut server: Server) {
    let began = std::time::Instant::now();
    server.terminate();
    let (sender, ended) = mpsc::channel();
    thread::spawn(move || {
        let status = server.wait();
        let _ = sender.send((status, server));
    });
    let (status, server) = ended.recv_timeout(END).expect("the server ends");
    // Printed, since time is no matter of right and wrong here.
    println!("the server ended after {:?}", began.elapsed());
    assert_eq!(status.code(), Some(0), "{}", server.messages());
}

const SPARSE: &str = "open('/workspace/big', 'wb').truncate(64 << 20)";

#[host_test]
fn unread_downloads_take_little_memory() {
    let server = server("");
    let sandbox = create(&server);
    run(&server, &sandbox, SPARSE);
    let memory = Memory::of(&server);
    let path = format!("/v1/sandboxes/{sandbox}/files/content?path=big");
    let mut unread: Vec<_> = (0..40).map(|_| Unread::get(&server, &path)).collect();
    unread.extend((0..40).map(|_| Unread::of_e2b(&server, &sandbox, "GET /e2b/files?path=big", "")));
    for response in &unread {
        assert_eq!((response.status(), response.length()), (200, Some(FILE)), "{}", response.head);
    }
    memory.assert_below(96 * MIB);
    // They are whole for those who read.
    for response in [unread.swap_remove(60), unread.swap_remove(0)] {
        assert_eq!(response.drain(), (FILE, true));
    }
    memory.assert_below(96 * MIB);
    assert_eq!(ask(&server, "GET", "/v1/health", None).status, 200);
    assert_ends(server);
}

/// Pictures that a page would show: each begins as a PNG, and has 1.9 MiB.
const PICTURES: &str = "\
for number in range(400):
    with open(f'/output/{number:03}.png', 'wb') as file:
        file.write(b'\\x89PNG\\r\\n\\x1a\\n')
        file.truncate(1_990_000)
";

#[host_test]
fn pages_have_some_pictures_and_name_the_others() {
    let server = server("");
    let sandbox = create(&server);
    let path = run(&server, &sandbox, PICTURES);
    let memory = Memory::of(&server);
    let mut unread: Vec<_> = (0..5).map(|_| Unread::get(&server, &format!("{path}/document"))).collect();
    unread.push(Unread::get(&server, &format!("{path}/trace")));
    assert!(unread.iter().all(|response| response.status() == 200));
    memory.assert_below(256 * MIB);
    let document = unread.swap_remove(0).json();
    let run = &document["runs"][0];
    let files = run["files"].as_array().expect("a list");
    let shown: Vec<_> = files.iter().filter_map(|file| file["base64"].as_str()).collect();
    assert!((1..=8).contains(&shown.len()), "{} pictures", shown.len());
    assert!(shown.iter().all(|picture| STANDARD.decode(picture).is_ok_and(|bytes| bytes.len() == 1_990_000)));
    let left_out = files.len() - shown.len();
    let notes = run["notes"].to_string();
    let expected = format!("{left_out} more pictures are not shown");
    assert!(notes.contains(&expected), "{expected}: {notes}");
    assert!(notes.contains(&format!("/v1/sandboxes/{sandbox}/files/content?path=")), "{notes}");
}

#[host_test]
fn a_large_figure_takes_little_memory() {
    let server = server("");
    let sandbox = create(&server);
    let code = "import os\nwith open('/output/figure-1.png', 'wb') as file:\n    file.write(b'\\x89PNG\\r\\n\\x1a\\n')\n    \
                file.truncate(63 << 20)";
    let body = json!({ "code": code }).to_string();
    // The guest exists, with what the first program loads.
    run(&server, &sandbox, "1");
    let memory = Memory::of(&server);
    let mut response = Unread::of_e2b(&server, &sandbox, "POST /e2b/execute", &body);
    assert_eq!(response.status(), 200, "{}", response.head);
    let mut lines = String::new();
    response.body.read_to_string(&mut lines).expect("text");
    memory.assert_below(64 * MIB);
    // Its chunks are joined.
    let mut whole = String::new();
    let mut rest = lines.as_str();
    while let Some((length, after)) = rest.split_once("\r\n") {
        let length = usize::from_str_radix(length, 16).expect("a length");
        whole.push_str(&after[..length]);
        rest = &after[length + 2..];
    }
    let lines: Vec<Value> = whole.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let figure = lines.iter().find(|line| line["png"].is_string()).expect("a figure");
    assert_eq!((&figure["type"], &figure["is_main_result"]), (&json!("result"), &json!(false)));
    let bytes = STANDARD.decode(text(figure, "png")).expect("base64");
    assert_eq!((bytes.len(), &bytes[..4]), (63 << 20, &b"\x89PNG"[..]));
    assert_eq!(lines.last().expect("a line")["type"], "end_of_execution");
}

#[host_test]
fn figures_of_one_program_have_a_limit_and_the_others_are_named() {
    let server = server("");
    let sandbox = create(&server);
    let code = "for number in range(1, 111):\n    open(f'/output/figure-{number}.png', 'wb').truncate(1000)\n\
                for number in range(3):\n    open(f'/output/figure-{20 + number}.png', 'wb').truncate(60 << 20)\n1 + 1";
    let mut response = Unread::of_e2b(&server, &sandbox, "POST /e2b/execute", &json!({ "code": code }).to_string());
    let mut lines = String::new();
    response.body.read_to_string(&mut lines).expect("text");
    assert!(lines.matches("\"png\"").count() <= 100, "{} figures", lines.matches("\"png\"").count());
    assert!(lines.len() < 100 << 20, "{} bytes", lines.len());
    assert!(lines.contains("/output/figure-22.png") && lines.contains("more figures are not shown"), "no names");
    assert!(lines.contains("end_of_execution"));
}

#[host_test]
fn responses_wait_in_bounded_memory_and_are_refused_beyond_it() {
    let server = server("response_bytes = '48MiB'");
    let sandbox = create(&server);
    let path = run(&server, &sandbox, "'y' * 5_000_000");
    let memory = Memory::of(&server);
    let mut unread = Vec::new();
    let refused = loop {
        let response = Unread::get(&server, &path);
        if response.status() != 200 {
            break response;
        }
        unread.push(response);
        assert!(unread.len() < 100, "a hundred responses wait");
    };
    assert_eq!(refused.status(), 503);
    assert!(refused.head.contains("retry-after: "), "{}", refused.head);
    let error = refused.json()["error"].clone();
    assert_eq!(error["type"], "Busy", "{error}");
    assert!(text(&error, "hint").contains("response_bytes"), "{error}");
    memory.assert_below(128 * MIB);
    // What is short is answered.
    assert_eq!(ask(&server, "GET", "/v1/health", None).status, 200);
    // Those who read, and those who go away, make room.
    let whole = unread.swap_remove(0).json();
    assert_eq!(whole["result"]["value"].as_str().map(str::len), Some(5_000_000));
    drop(unread);
    while Unread::get(&server, &path).status() != 200 {}
    let list = ask(&server, "GET", "/v1/runs", None).expect(200);
    assert_eq!(list["runs"][0]["id"], whole["id"]);
}

#[host_test]
fn a_response_that_is_too_large_for_the_memory_is_refused() {
    let server = server("response_bytes = '16MiB'");
    let sandbox = create(&server);
    let runs = format!("/v1/sandboxes/{sandbox}/runs");
    let reply = ask(&server, "POST", &runs, Some(json!({ "code": "print('x' * 5_000_000)" })));
    let error = reply.expect(413)["error"].clone();
    assert_eq!(error["type"], "TooLarge", "{error}");
    // The program has ended, and the answer says where to read what it wrote, in parts.
    let path = text(&error, "hint").split('`').nth(1).and_then(|part| part.strip_prefix("GET ")).expect("a path");
    let part = ask(&server, "GET", path, None).expect(200);
    assert!(text(&part, "data").starts_with("xxx"));
    // Files have no limit of this kind.
    run(&server, &sandbox, SPARSE);
    let whole = Unread::get(&server, &format!("/v1/sandboxes/{sandbox}/files/content?path=big"));
    assert_eq!(whole.drain(), (FILE, true));
}

#[host_test]
fn unread_connections_do_not_delay_the_end() {
    let server = server("drain = '1s'");
    let sandbox = create(&server);
    run(&server, &sandbox, SPARSE);
    let path = run(&server, &sandbox, "for number in range(30):\n    print('x' * 100_000)\n'y' * 5_000_000");
    let mut unread: Vec<_> = ["", "/document", "/events", "/logs", "/trace"]
        .iter()
        .flat_map(|part| (0..4).map(move |_| *part))
        .map(|part| Unread::get(&server, &format!("{path}{part}")))
        .collect();
    let file = format!("/v1/sandboxes/{sandbox}/files/content?path=big");
    unread.extend((0..4).map(|_| Unread::get(&server, &file)));
    unread.extend((0..4).map(|_| Unread::of_e2b(&server, &sandbox, "GET /e2b/files?path=big", "")));
    // Programs that still run, whose output is not read.
    let endless = json!({ "code": "print('x' * 9_000_000, flush=True)\nwhile True:\n    pass" }).to_string();
    let head = format!(
        "POST /v1/runs HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer alice-secret\r\n\
         accept: text/event-stream\r\ncontent-length: {}\r\n",
        endless.len()
    );
    unread.extend((0..2).map(|_| Unread::ask(&server, &head, &endless)));
    unread.push(Unread::of_e2b(&server, &sandbox, "POST /e2b/execute", &endless));
    for response in &unread {
        assert_eq!(response.status(), 200, "{}", response.head);
    }
    assert_ends(server);
}

/// Waits until a server has at most this many descriptors open.
fn until_descriptors(server: &Server, count: usize) {
    let path = format!("/proc/{}/fd", server.process().as_raw_nonzero());
    while fs::read_dir(&path).expect("it runs").count() > count {}
}

#[host_test]
fn a_client_that_does_not_read_is_disconnected() {
    let server = server("send_time = '1s'");
    let sandbox = create(&server);
    run(&server, &sandbox, SPARSE);
    let path = format!("/v1/sandboxes/{sandbox}/files/content?path=big");
    let descriptors = format!("/proc/{}/fd", server.process().as_raw_nonzero());
    let before = fs::read_dir(descriptors).expect("it runs").count();
    let unread: Vec<_> = (0..4).map(|_| Unread::get(&server, &path)).collect();
    until_descriptors(&server, before);
    for response in unread {
        let (length, _) = response.drain();
        assert!(length < FILE, "everything was sent");
    }
}

#[host_test]
fn a_file_that_shrinks_meanwhile_breaks_the_response_off() {
    let server = server("");
    let sandbox = create(&server);
    run(&server, &sandbox, SPARSE);
    let response = Unread::get(&server, &format!("/v1/sandboxes/{sandbox}/files/content?path=big"));
    assert_eq!(response.length(), Some(FILE));
    let file = fs::File::options().write(true).open(folder(&server).join("workspace/big")).expect("the file");
    file.set_len(40 * MIB).expect("it is cut");
    let (length, _) = response.drain();
    assert!(length <= 40 * MIB, "{length} bytes");
    // One that was removed or replaced is sent as it was.
    let response = Unread::get(&server, &format!("/v1/sandboxes/{sandbox}/files/content?path=big"));
    ask(&server, "DELETE", &format!("/v1/sandboxes/{sandbox}/files/content?path=big"), None).expect(204);
    assert_eq!(response.drain(), (40 * MIB, true));
}
