//! Secrets of the server never reach its clients, for any program.

use isolette_tests::{
    ClientCase, Skipped,
    agents::{python, servers},
    client_test,
};
use serde_json::{Value, json};

/// Programs know the secret, as if they had received it in a form that redaction did not recognise.
const EVERYWHERE: &str = "
import sys
print('hun', end='', flush=True)
print('ter2', end='', flush=True)
print('hunter2', file=sys.stderr)
open('/output/note.txt', 'w').write('it is hunter2')
open('/output/hunter2.bin', 'wb').write(bytes([255]))
{'key': ['hunter2'], 'hunter2': 1}
";

#[client_test]
fn secrets_of_the_server_never_reach_clients(case: &ClientCase) -> Result<(), Skipped> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("secret"), "Bearer hunter2\n").expect("a file");
    let config = folder.path().join("isolette.toml");
    let shop = servers().join("shop.py");
    let server =
        format!("command = ['{}', '{}']\nenv = {{ SHOP_KEY = 'file:secret' }}", python()?.display(), shop.display());
    std::fs::write(&config, format!("[[mcp]]\nname = 'shop'\n{server}\n")).expect("a file");
    let served = case.serve(&["--config", config.to_str().expect("UTF-8")]);
    let replies = served
        .script
        .step(json!({ "call": "execute_code", "arguments": { "code": EVERYWHERE }, "progress": true }))
        .call("execute_code", json!({ "code": "raise ValueError('no to hunter2')" }))
        .call("execute_code", json!({ "code": "'hunter2 ' * 10_000" }))
        .step(json!({ "read": "$link" }))
        .call("execute_code", json!({ "code": "1", "language": "hunter2" }))
        .call("execute_code", json!({ "code": "tools.describe('shop.key')" }))
        .step(json!({ "tools": true }))
        .play()?;
    for result in &replies.results {
        let text = result.to_string();
        assert!(!text.contains("hunter2") && text.contains("[redacted]"), "{}", &text[..text.len().min(2000)]);
    }
    let printed: String = replies.results[0]["progress"]
        .as_array()
        .expect("what was heard")
        .iter()
        .filter_map(|heard| heard["message"].as_str())
        .collect();
    assert_eq!(printed, "[redacted]");
    let value = &replies.results[0]["structuredContent"]["value"];
    assert_eq!(*value, Value::from(r#"{"key":["[redacted]"],"[redacted]":1}"#));
    Ok(())
}
