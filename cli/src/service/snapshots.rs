//! `snapshot create|list|restore|rm`.

use serde_json::{Value, json};

use super::{
    SnapshotCommand,
    client::{Client, part},
    perform,
    sandboxes::{entries, path_of, text},
    table,
};
use crate::{exit::Code, report};

pub(crate) fn snapshot(command: SnapshotCommand) -> Code {
    match command {
        SnapshotCommand::Create(options) => perform(options.json, async {
            let client = Client::connect(&options.server).await?;
            let path = format!("{}/snapshots", path_of(&options.sandbox));
            let taken = client.post(&path, &json!({ "note": options.note })).await?;
            match options.json {
                true => report::print(&taken),
                false => report::line(text(&taken, "id")),
            }
            Ok(Code::SUCCESS)
        }),
        SnapshotCommand::List { sandbox, server, json } => perform(json, async {
            let path = match &sandbox {
                Some(sandbox) => format!("/v1/snapshots?sandbox={}", part(sandbox)),
                None => "/v1/snapshots".into(),
            };
            let listed = Client::connect(&server).await?.get(&path).await?;
            show(&listed, json);
            Ok(Code::SUCCESS)
        }),
        SnapshotCommand::Restore { sandbox, snapshot, server, json } => perform(json, async {
            let client = Client::connect(&server).await?;
            let path = format!("{}/restore", path_of(&sandbox));
            let restored = client.post(&path, &json!({ "snapshot": snapshot })).await?;
            match json {
                true => report::print(&restored),
                false => report::line(text(&restored, "id")),
            }
            Ok(Code::SUCCESS)
        }),
        SnapshotCommand::Rm { snapshots, server } => perform(false, async {
            let client = Client::connect(&server).await?;
            for snapshot in &snapshots {
                client.delete(&format!("/v1/snapshots/{}", part(snapshot))).await?;
            }
            Ok(Code::SUCCESS)
        }),
    }
}

fn show(listed: &Value, json: bool) {
    if json {
        return report::print(&listed["snapshots"]);
    }
    let snapshots = entries(listed, "snapshots");
    if snapshots.is_empty() {
        return say!("no snapshots");
    }
    let row = |snapshot: &Value| {
        let [id, sandbox, created, note] =
            ["id", "sandbox", "created_at", "note"].map(|key| text(snapshot, key).to_owned());
        [id, sandbox, created, snapshot["files"].to_string(), note]
    };
    let rows: Vec<_> = snapshots.iter().map(row).collect();
    table::print(["SNAPSHOT", "SANDBOX", "CREATED", "FILES", "NOTE"], &rows);
}
