//! Files in `/output` are attached to the result.

use isolette_tests::{ClientCase, Skipped, client_test};
use serde_json::json;

const REPORT: &str = r"
import os
text = open('/input/notes.txt').read()
os.makedirs('/output/a', exist_ok=True)
open('/output/report.txt', 'w').write(text.upper())
open('/output/a/b.bin', 'wb').write(bytes([0, 255, 128]))
open('/output/dot.png', 'wb').write(b'\x89PNG')
try:
    open('/input/notes.txt', 'w')
except OSError as error:
    print(type(error).__name__)
sorted(os.listdir('/output'))
";

#[client_test]
fn output_files_are_attached_unchanged(case: &ClientCase) -> Result<(), Skipped> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("notes.txt"), "hello").expect("a file");
    let served = case.serve(&["--input", folder.path().to_str().expect("UTF-8")]);
    let again = json!({ "code": "import os\nos.listdir('/output')" });
    let replies = served.script.call("execute_code", json!({ "code": REPORT })).call("execute_code", again).play()?;
    let structured = &replies.results[0]["structuredContent"];
    assert!(["OSError\n", "PermissionError\n"].contains(&structured["stdout"].as_str().unwrap()), "{structured}");
    let files: Vec<_> = structured["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| {
            (file["path"].as_str().unwrap(), file["mime_type"].as_str().unwrap(), file["attached"] == json!(true))
        })
        .collect();
    assert_eq!(
        files,
        [
            ("/output/a/b.bin", "application/octet-stream", true),
            ("/output/dot.png", "image/png", true),
            ("/output/report.txt", "text/plain", true),
        ]
    );
    let content = replies.results[0]["content"].as_array().unwrap();
    let [_, bytes, image, text] = content.as_slice() else { panic!("{content:?}") };
    assert_eq!(bytes["resource"]["blob"], "AP+A");
    assert_eq!((&image["type"], &image["data"]), (&json!("image"), &json!("iVBORw==")));
    assert_eq!((&text["resource"]["text"], &text["resource"]["mimeType"]), (&json!("HELLO"), &json!("text/plain")));
    // The next program does not find the file.
    assert_eq!(replies.results[1]["structuredContent"]["value"], json!([]));
    Ok(())
}

#[client_test]
fn too_many_output_files_are_reported(case: &ClientCase) -> Result<(), Skipped> {
    let served = case.serve(&[]);
    let code = "for n in range(21):\n    open(f'/output/{n:02}.txt', 'w').write(str(n))\nprint('written')";
    let replies = served.script.call("execute_code", json!({ "code": code })).play()?;
    let result = &replies.results[0];
    let structured = &result["structuredContent"];
    assert_eq!((&structured["error"]["kind"], &structured["stdout"]), (&json!("OutputLimit"), &json!("written\n")));
    assert_eq!(result["isError"], json!(true));
    let attached =
        structured["files"].as_array().unwrap().iter().filter(|file| file["attached"] == json!(true)).count();
    assert_eq!((attached, structured["files"].as_array().unwrap().len()), (20, 21));
    Ok(())
}

#[client_test]
fn an_output_file_over_the_limit_is_only_listed(case: &ClientCase) -> Result<(), Skipped> {
    let served = case.serve(&[]);
    let code = "open('/output/long.bin', 'wb').write(bytes(5 * 2**20 + 1))\nopen('/output/short.txt', 'w').write('s')";
    let replies = served.script.call("execute_code", json!({ "code": code })).play()?;
    let files = replies.results[0]["structuredContent"]["files"].as_array().unwrap();
    let attached: Vec<_> = files.iter().map(|file| file["attached"].as_bool().unwrap()).collect();
    assert_eq!(attached, [false, true]);
    assert_eq!(replies.results[0]["isError"], json!(false));
    Ok(())
}

#[client_test]
fn output_files_of_earlier_runs_are_not_attached_again(case: &ClientCase) -> Result<(), Skipped> {
    let served = case.serve(&["--profile", "sessions"]);
    let run =
        |code: &str| json!({ "call": "execute_code", "arguments": { "code": code, "sandbox_id": "$sandbox_id" } });
    let write = |first: usize, end: usize| {
        run(&format!("for n in range({first}, {end}):\n    open(f'/output/{{n:02}}.txt', 'w').write('x')"))
    };
    let replies = served
        .script
        .step(json!({ "call": "create_sandbox", "save": "sandbox_id" }))
        .step(write(0, 15))
        .step(write(15, 30))
        .step(run("1 + 1"))
        .step(run("import os\nos.rename('/output/29.txt', '/output/last.txt')\nlen(os.listdir('/output'))"))
        .play()?;
    let counts = replies.results[1..].iter().map(|result| {
        assert_eq!(result["isError"], json!(false), "{result}");
        let files = result["structuredContent"]["files"].as_array().unwrap();
        assert!(files.iter().all(|file| file["attached"] == json!(true)), "{result}");
        files.len()
    });
    assert_eq!(counts.collect::<Vec<_>>(), [15, 15, 0, 1]);
    assert_eq!(replies.results[4]["structuredContent"]["value"], 30);
    assert_eq!(replies.results[4]["structuredContent"]["files"][0]["path"], "/output/last.txt");

    let folder = tempfile::tempdir().expect("a folder");
    for number in 0..25 {
        std::fs::write(folder.path().join(number.to_string()), "from before").expect("a file");
    }
    let served = case.serve(&["--output", folder.path().to_str().expect("UTF-8")]);
    let replies = served.script.call("execute_code", json!({ "code": "1 + 1" })).play()?;
    let result = &replies.results[0];
    assert_eq!((&result["isError"], &result["structuredContent"]["files"]), (&json!(false), &json!([])));
    Ok(())
}
