//! The names and the list of the sandboxes of a caller.

use super::{Replicas, SandboxRecord, keys};
use crate::{clock, failure::Failure};

impl Replicas {
    /// Gives a name to a sandbox of a caller, if no other sandbox has it.
    pub(crate) async fn take_name(&self, owner: &str, name: &str, id: &str) -> Result<(), Failure> {
        let key = keys::name(owner, name);
        let taken = || {
            Failure::conflict(
                format!("there is a sandbox with the name `{name}`"),
                "choose another name, or use that sandbox by its name",
            )
        };
        let found = self.read::<String>(&key).await?;
        if let Some((other, _)) = &found
            && other != id
            && !other.is_empty()
            && let Some((record, _)) = self.read::<SandboxRecord>(&keys::sandbox(other)).await?
            && record.is_there()
        {
            return Err(taken());
        }
        let version = found.map(|(_, version)| version);
        self.swap(&key, &id, version.as_ref()).await?.map(drop).ok_or_else(taken)
    }

    /// The identifier of the sandbox with this name or identifier.
    pub(crate) async fn id_of(&self, owner: &str, text: &str) -> Result<String, Failure> {
        if !crate::id::is_name(text) {
            return Ok(text.to_owned());
        }
        let named = self.read::<String>(&keys::name(owner, text)).await?.map(|(id, _)| id);
        Ok(named.filter(|id| !id.is_empty()).unwrap_or_else(|| text.to_owned()))
    }

    /// Removes a sandbox from the list of its caller, and its name.
    pub(crate) async fn forget_sandbox(&self, owner: &str, id: &str, name: Option<&str>) -> Result<(), Failure> {
        self.objects.delete(&format!("{}/{id}", keys::sandboxes_of(owner))).await?;
        if let Some(name) = name {
            let key = keys::name(owner, name);
            if let Some((_, version)) = self.read::<String>(&key).await?.filter(|(named, _)| named == id) {
                // No sandbox has it, unless another one has taken it meanwhile.
                self.swap(&key, &"", Some(&version)).await?;
            }
        }
        Ok(())
    }
}

impl SandboxRecord {
    /// Whether the sandbox exists.
    pub(crate) fn is_there(&self) -> bool {
        !self.is_deleted && self.row.expires > clock::now()
    }
}
