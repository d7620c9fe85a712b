//! Files of sandboxes.

use isolette_tests::host_test;
use serde_json::json;

use crate::{
    runs::config,
    server::{Server, text},
};

fn content(sandbox: &str, path: &str) -> String {
    format!("{sandbox}/files/content?path={path}")
}

#[host_test]
fn files_go_up_and_down_exactly() {
    let server = Server::start(&[]);
    let sandbox = server.create(json!({}));
    let bytes: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    let put = |path: &str, bytes: &[u8]| server.send("PUT", &content(&sandbox, path), &[], Some(bytes.to_vec()));
    put("data/in.bin", &bytes).expect(204);
    let code = "data = open('/workspace/data/in.bin', 'rb').read()\nopen('/output/out.bin', 'wb').write(data[::-1])\nlen(data)";
    assert_eq!(server.value(&sandbox, code), 100_000);
    let reversed: Vec<u8> = bytes.iter().rev().copied().collect();
    assert_eq!(server.get(&content(&sandbox, "/output/out.bin")).bytes, reversed);
    let listed = server.get(&format!("{sandbox}/files?path=data")).expect(200);
    assert_eq!(
        listed,
        json!({ "files": [{ "name": "in.bin", "kind": "file", "size": 100_000 }], "is_truncated": false })
    );
    let root = server.get(&format!("{sandbox}/files")).expect(200);
    assert_eq!(text(&root["files"][0], "kind"), "directory");
    server.delete(&content(&sandbox, "data")).expect(204);
    assert_eq!(server.get(&content(&sandbox, "data/in.bin")).status, 404);
}

#[host_test]
fn the_files_of_a_sandbox_have_a_limit() {
    let server = Server::start(&["--config", &config("[service]\nsandbox_file_bytes = '1MB'\nstored_bytes = '200KB'")]);
    let sandbox = server.create(json!({}));
    let put = |path: &str, length: usize| server.send("PUT", &content(&sandbox, path), &[], Some(vec![b'x'; length]));
    put("one", 500_000).expect(204);
    let refused = put("two", 500_000).failure(507);
    assert!(refused.starts_with("StorageFull: the files of the sandbox may take 1000000 bytes"), "{refused}");
    // A program may write what its policy permits, and the next one is refused until there is room.
    server.value(&sandbox, "open('/workspace/three', 'w').write('x' * 600_000)");
    let run = server.post(&format!("{sandbox}/runs"), json!({ "code": "1" }));
    assert_eq!(run.expect(200)["error"]["type"], "StorageFull");
    server.delete(&content(&sandbox, "three")).expect(204);
    assert_eq!(server.value(&sandbox, "1"), 1);
    let snapshot = server.post(&format!("{sandbox}/snapshots"), json!({}));
    assert!(snapshot.failure(507).contains("would be stored"), "{snapshot:?}");
}

#[host_test]
fn no_path_leads_outside() {
    let server = Server::start(&[]);
    let sandbox = server.create(json!({}));
    for path in [
        "../../service.db",
        "/etc/passwd",
        "/workspace/../../x",
        "a/../../x",
        "/output/../../../etc/passwd",
        "",
        "/",
        "a%00b",
    ] {
        let read = server.get(&content(&sandbox, path)).status;
        let write = server.send("PUT", &content(&sandbox, path), &[], Some(b"x".to_vec())).status;
        let delete = server.delete(&content(&sandbox, path)).status;
        for status in [read, write, delete] {
            assert!((400..500).contains(&status), "{path}: {read} {write} {delete}");
        }
    }
    // Links that exist there already do not lead outside either.
    let folder =
        std::fs::read_dir(server.state().join("sandboxes")).expect("a folder").next().expect("one").expect("one");
    std::os::unix::fs::symlink("/etc", folder.path().join("workspace/etc")).expect("a link");
    std::os::unix::fs::symlink("/etc/passwd", folder.path().join("workspace/passwd")).expect("a link");
    for path in ["etc/passwd", "passwd", "etc/new"] {
        assert!((400..500).contains(&server.get(&content(&sandbox, path)).status), "{path}");
        let status = server.send("PUT", &content(&sandbox, &format!("{path}/x")), &[], Some(b"x".to_vec())).status;
        assert!((400..500).contains(&status), "{path}: {status}");
    }
    server.delete(&content(&sandbox, "etc")).expect(204);
    assert!(std::path::Path::new("/etc/passwd").exists());
}

#[host_test]
fn a_file_that_is_too_large_is_refused() {
    let server = Server::start(&["--config", &crate::runs::config("[service]\nfile_bytes = '1KiB'")]);
    let sandbox = server.create(json!({}));
    let put = |length: usize| server.send("PUT", &content(&sandbox, "a"), &[], Some(vec![7; length])).status;
    assert_eq!((put(1024), put(1025)), (204, 413));
    assert_eq!(server.get(&content(&sandbox, "a")).bytes.len(), 1024);
    server.value(&sandbox, "open('/workspace/b', 'wb').write(bytes(2000))");
    assert_eq!(server.get(&content(&sandbox, "b")).status, 413);
}

/// The files and folders that a server has visited so far to measure sandboxes.
fn visited(server: &Server) -> u64 {
    let metrics = String::from_utf8(server.get("/metrics").bytes).expect("text");
    let line = metrics.lines().find_map(|line| line.strip_prefix("isolette_service_files_measured "));
    line.unwrap_or_else(|| panic!("{metrics}")).parse().expect("a number")
}

/// A form with files, as E2B's clients send it.
fn form(server: &Server, sandbox: &str, files: &[(String, Vec<u8>)]) -> crate::server::Reply {
    let mut body = Vec::new();
    for (path, bytes) in files {
        body.extend_from_slice(
            format!("--b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{path}\"\r\n\r\n").as_bytes(),
        );
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--b--\r\n");
    let sandbox = sandbox.rsplit('/').next().expect("an identifier");
    let headers = [("e2b-sandbox-id", sandbox), ("content-type", "multipart/form-data; boundary=b")];
    server.send("POST", "/e2b/files", &headers, Some(body))
}

#[host_test]
fn a_sandbox_is_measured_once_for_all_files_of_a_form() {
    const FILES: u64 = 2000;
    let server = Server::start(&[]);
    let sandbox = server.create(json!({}));
    server.value(&sandbox, &format!("for number in range({FILES}):\n    open(f'/workspace/{{number}}', 'w').close()"));
    let before = visited(&server);
    let files: Vec<_> = (0..200).map(|number| (format!("new/{number}"), vec![7; 100])).collect();
    assert_eq!(form(&server, &sandbox, &files).expect(200).as_array().map(Vec::len), Some(200));
    let more = visited(&server) - before;
    assert!((FILES..FILES + 100).contains(&more), "{more} visits");
    let listed = server.get(&format!("{sandbox}/files?path=new")).expect(200);
    assert_eq!(listed["files"].as_array().map(Vec::len), Some(200));
    // Other requests visit each file once at most.
    let before = visited(&server);
    server.send("PUT", &content(&sandbox, "one"), &[], Some(vec![1])).expect(204);
    server.value(&sandbox, "1");
    server.get(&format!("{sandbox}/files")).expect(200);
    server.delete(&content(&sandbox, "one")).expect(204);
    let more = visited(&server) - before;
    assert!(more < 2 * FILES + 1000, "{more} visits");
}

#[host_test]
fn the_limit_holds_in_the_middle_of_a_form() {
    let server = Server::start(&["--config", &config("[service]\nsandbox_file_bytes = '100KB'")]);
    let sandbox = server.create(json!({}));
    // Each takes 40,000 bytes, and the folders some more.
    let file = |path: &str| (path.to_owned(), vec![b'x'; 40_000]);
    let refused = form(&server, &sandbox, &[file("a"), file("b"), file("c")]).expect(507);
    assert!(refused["message"].as_str().is_some_and(|text| text.contains("may take 100000 bytes")), "{refused}");
    let names = |list: serde_json::Value| -> Vec<String> {
        let files = list["files"].as_array().expect("a list").clone();
        files.iter().map(|file| text(file, "name").to_owned()).collect()
    };
    assert_eq!(names(server.get(&format!("{sandbox}/files")).expect(200)), ["a", "b"]);
    // What takes the place of another file does not add to it.
    server.delete(&content(&sandbox, "b")).expect(204);
    form(&server, &sandbox, &[file("a"), file("a"), file("a")]).expect(200);
}
