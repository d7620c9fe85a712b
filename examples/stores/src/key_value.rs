//! A key-value store in a file.

use std::path::Path;

use isolette::CallContext;
use redb::{Database, Error, ReadableDatabase as _, ReadableTable as _, ReadableTableMetadata as _, TableDefinition};

isolette::capability!({ path: "wit", interface: "acme:stores/key-value", implementation: KeyValue });

use self::key_value::Failure;

const TABLE: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("values");

const KEY_LIMIT: usize = 1 << 10;
const VALUE_LIMIT: usize = 1 << 20;
const COUNT_LIMIT: u64 = 10_000;

/// A key-value store in a file. All sandboxes that provide it share the values.
#[derive(Debug)]
pub struct KeyValue(Database);

impl KeyValue {
    /// Opens the file, or creates it.
    ///
    /// # Errors
    /// If the file cannot be opened, or is not a store.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let database = Database::create(path)?;
        let writing = database.begin_write()?;
        writing.open_table(TABLE)?;
        writing.commit()?;
        Ok(Self(database))
    }

    fn read(&self, key: &str) -> Result<Option<Vec<u8>>, Error> {
        let table = self.0.begin_read()?.open_table(TABLE)?;
        Ok(table.get(key)?.map(|value| value.value().to_vec()))
    }

    /// Returns `None` if the store is full.
    fn write(&self, key: &str, value: &[u8]) -> Result<Option<()>, Error> {
        let writing = self.0.begin_write()?;
        {
            let mut table = writing.open_table(TABLE)?;
            if table.len()? >= COUNT_LIMIT && table.get(key)?.is_none() {
                return Ok(None);
            }
            table.insert(key, value)?;
        }
        writing.commit()?;
        Ok(Some(()))
    }

    fn remove(&self, key: &str) -> Result<bool, Error> {
        let writing = self.0.begin_write()?;
        let existed = writing.open_table(TABLE)?.remove(key)?.is_some();
        writing.commit()?;
        Ok(existed)
    }

    fn keys(&self, prefix: &str, limit: usize) -> Result<Vec<String>, Error> {
        let table = self.0.begin_read()?.open_table(TABLE)?;
        let mut keys = Vec::new();
        for entry in table.range(prefix..)? {
            let (key, _) = entry?;
            if keys.len() == limit || !key.value().starts_with(prefix) {
                break;
            }
            keys.push(key.value().to_owned());
        }
        Ok(keys)
    }
}

impl key_value::KeyValue for KeyValue {
    fn get(&self, _: &CallContext, key: String) -> Result<Option<Vec<u8>>, Failure> {
        self.read(&key).map_err(storage)
    }

    fn set(&self, _: &CallContext, key: String, value: Vec<u8>) -> Result<(), Failure> {
        if key.len() > KEY_LIMIT {
            return Err(Failure::KeyTooLong(KEY_LIMIT as u32));
        }
        if value.len() > VALUE_LIMIT {
            return Err(Failure::ValueTooLong(VALUE_LIMIT as u32));
        }
        self.write(&key, &value).map_err(storage)?.ok_or(Failure::Full)
    }

    fn delete(&self, _: &CallContext, key: String) -> Result<bool, Failure> {
        self.remove(&key).map_err(storage)
    }

    fn list(&self, _: &CallContext, prefix: String, limit: u32) -> Result<Vec<String>, Failure> {
        self.keys(&prefix, limit as usize).map_err(storage)
    }
}

fn storage(error: Error) -> Failure {
    Failure::Storage(error.to_string())
}
