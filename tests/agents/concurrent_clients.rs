//! Many concurrent clients.

use std::thread;

use isolette_tests::{
    Skipped,
    agents::{Client, Era, HttpServer, Script},
    host_test,
};
use serde_json::json;

/// Half of them speak the newest revision, half an older one.
#[host_test]
fn fifty_concurrent_clients_get_their_own_answers() -> Result<(), Skipped> {
    let server = HttpServer::start(&["--profile", "sessions"]);
    let place = server.place();
    let play = |era, first: usize| {
        let code = format!("x = {{number}} + {first}\nopen('/output/me', 'w').write(str(x))\nx * x");
        let call = json!({ "call": "execute_code", "arguments": { "code": "$code" } });
        let script = Script::new(Client::Python, era, place.clone()).step(call);
        (first, script.clients(25, json!({ "code": code })).play())
    };
    let both = thread::scope(|scope| {
        let halves = [(Era::New, 0), (Era::Old, 25)].map(|(era, first)| {
            scope.spawn({
                let play = &play;
                move || play(era, first)
            })
        });
        halves.map(|half| half.join().expect("the clients come to their end"))
    });
    for (first, replies) in both {
        let results = replies?.results;
        assert_eq!(results.len(), 25);
        for (number, result) in results.iter().enumerate() {
            let (result, number) = (&result[0], number + first);
            assert_eq!(result["structuredContent"]["value"], json!(number * number), "{result}");
            assert_eq!(result["content"][1]["resource"]["text"], json!(number.to_string()));
        }
    }
    Ok(())
}

#[host_test]
fn concurrent_calls_of_one_client_run_in_parallel() -> Result<(), Skipped> {
    let server = HttpServer::start(&[]);
    let calls: Vec<_> = (0..20)
        .map(|number| json!({ "call": "execute_code", "arguments": { "code": format!("{number} + 1") } }))
        .collect();
    for (client, era) in [(Client::Python, Era::New), (Client::TypeScript, Era::Old)] {
        let replies = Script::new(client, era, server.place()).step(json!({ "parallel": calls })).play()?;
        let values: Vec<_> = replies.results[0]
            .as_array()
            .unwrap()
            .iter()
            .map(|result| result["structuredContent"]["value"].as_i64().unwrap())
            .collect();
        assert_eq!(values, (1..=20).collect::<Vec<_>>());
    }
    Ok(())
}
