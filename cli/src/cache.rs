//! `isolette cache`: lists and removes snapshots.

use std::time::Duration;

use bytesize::ByteSize;
use isolette::{Error, SnapshotCache};
use serde_json::json;

use crate::{
    arguments::Cache,
    exit,
    exit::Code,
    report::{line, print},
};

pub(crate) fn cache(command: &Cache) -> Code {
    let done = SnapshotCache::of_user().and_then(|cache| match command {
        Cache::List { json } => list(&cache, *json),
        Cache::Prune { unused_for, json } => prune(&cache, *unused_for, *json),
        Cache::Path { json } => {
            path(&cache, *json);
            Ok(())
        }
    });
    match done {
        Ok(()) => Code::SUCCESS,
        Err(error) => exit::fail(&error),
    }
}

fn list(cache: &SnapshotCache, json: bool) -> Result<(), Error> {
    let snapshots = cache.list()?;
    if json {
        print(&snapshots);
        return Ok(());
    }
    if snapshots.is_empty() {
        say!("no snapshots in {}", cache.directory().display());
    }
    for snapshot in snapshots {
        let used = humantime::format_rfc3339_seconds(snapshot.used);
        line(&format!("{}  {:>10}  used {used}", snapshot.id, ByteSize(snapshot.bytes).to_string()));
        for (name, value) in snapshot.facts {
            line(&format!("  {name:<12} {value}"));
        }
    }
    Ok(())
}

fn prune(cache: &SnapshotCache, unused_for: Duration, json: bool) -> Result<(), Error> {
    let pruned = cache.prune(unused_for)?;
    if json {
        print(&pruned);
    } else {
        line(&format!("removed {} snapshots with {}", pruned.snapshots, ByteSize(pruned.bytes)));
    }
    Ok(())
}

fn path(cache: &SnapshotCache, json: bool) {
    if json {
        print(&json!({ "directory": cache.directory() }));
    } else {
        line(&cache.directory().display().to_string());
    }
}
