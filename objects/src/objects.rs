//! The store, and the operations on its objects.

use std::{fmt, path::Path as FilePath, sync::Arc, time::Duration, time::SystemTime};

use bytes::Bytes;
use futures_util::StreamExt as _;
use object_store::{
    Error, ObjectStore, ObjectStoreExt as _, PutMode, PutPayload, PutResult, RetryConfig, UpdateVersion,
    aws::{AmazonS3, AmazonS3Builder},
    path::Path,
};

use crate::{
    ObjectsError,
    crypto::Crypto,
    folder::{self, Folder},
    http::Http,
    time::{TIME, time_for},
};

/// Maximum number of retries of a request that failed for a temporary reason, and maximum time for them.
const RETRIES: (usize, Duration) = (5, Duration::from_secs(20));

/// A store of objects. Clones are the same store.
#[derive(Clone)]
pub struct Objects {
    store: Store,
    prefix: Path,
    place: Arc<str>,
}

#[derive(Clone)]
enum Store {
    Bucket(Arc<AmazonS3>),
    Folder(Arc<Folder>),
}

/// The version of an object that was read or written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version(String);

/// An object that was read.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its bytes.
    pub bytes: Bytes,
    /// Its version, for [`Objects::swap`].
    pub version: Version,
}

/// An object that was listed.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Its key.
    pub key: String,
    /// Its size in bytes.
    pub size: u64,
    /// The time at which it was written, by the clock of the store.
    pub modified: SystemTime,
}

impl fmt::Debug for Objects {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Objects").field("place", &self.place).finish_non_exhaustive()
    }
}

impl Objects {
    /// Opens `s3://BUCKET/PREFIX` or `file:///FOLDER`. Nothing is read or written before the first use, except that the folder is
    /// made if it does not exist.
    ///
    /// The address of a bucket, its region and credentials are in the environment, with the names that the tools of AWS use:
    /// `AWS_ENDPOINT_URL`, `AWS_REGION`, `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`,
    /// `AWS_WEB_IDENTITY_TOKEN_FILE` with `AWS_ROLE_ARN`; `AWS_ALLOW_HTTP=true` permits an address without TLS. Credentials of
    /// an instance are found without any of them. The store has to support `If-Match` and `If-None-Match` for `PutObject`.
    ///
    /// # Errors
    /// [`ObjectsError::Place`] for another text; [`ObjectsError::Failed`] for a folder that cannot be made, or for settings in the
    /// environment that cannot be used.
    pub fn open(place: &str) -> Result<Self, ObjectsError> {
        let wrong = |reason: &str| ObjectsError::Place { place: place.to_owned(), reason: reason.to_owned() };
        let opened = |store, prefix| Ok(Self { store, prefix, place: place.into() });
        if let Some(folder) = place.strip_prefix("file://") {
            let path = FilePath::new(folder);
            if !path.is_absolute() {
                return Err(wrong("the path of a folder has to be absolute"));
            }
            let folder = Folder::open(path).map_err(|error| ObjectsError::failed("use", place, error))?;
            return opened(Store::Folder(Arc::new(folder)), Path::default());
        }
        let Some(rest) = place.strip_prefix("s3://") else { return Err(wrong("it names no known kind of store")) };
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        if bucket.is_empty() {
            return Err(wrong("it names no bucket"));
        }
        let prefix = Path::parse(prefix.trim_end_matches('/')).map_err(|error| wrong(&error.to_string()))?;
        let retry = RetryConfig { max_retries: RETRIES.0, retry_timeout: RETRIES.1, ..RetryConfig::default() };
        let store = AmazonS3Builder::from_env()
            .with_bucket_name(bucket)
            .with_http_connector(Http::new()?)
            .with_crypto_provider(Arc::new(Crypto))
            .with_retry(retry)
            .build()
            .map_err(|error| ObjectsError::failed("use", place, error))?;
        opened(Store::Bucket(Arc::new(store)), prefix)
    }

    /// Reads an object of at most `limit` bytes. `None` if it does not exist.
    ///
    /// # Errors
    /// [`ObjectsError::TooLarge`], [`ObjectsError::Failed`].
    pub async fn get(&self, key: &str, limit: u64) -> Result<Option<Object>, ObjectsError> {
        let failed = |error| ObjectsError::failed("read", key, error);
        let found = match self.reader().get(&self.path(key)?).await {
            Err(Error::NotFound { .. }) => return Ok(None),
            found => found.map_err(failed)?,
        };
        let size = found.meta.size;
        if size > limit {
            return Err(ObjectsError::TooLarge { key: key.to_owned(), size, limit });
        }
        let tag = found.meta.e_tag.clone();
        let late = |error| ObjectsError::failed("read", key, error);
        let read = tokio::time::timeout(time_for(size), found.bytes());
        let bytes = read.await.map_err(late)?.map_err(failed)?;
        let version = self.version(tag, &bytes, key)?;
        Ok(Some(Object { bytes, version }))
    }

    /// Writes an object, whether or not it exists.
    ///
    /// # Errors
    /// [`ObjectsError::Failed`].
    pub async fn put(&self, key: &str, bytes: Bytes) -> Result<(), ObjectsError> {
        let put = self.reader().put(&self.path(key)?, bytes.into()).await;
        put.map(drop).map_err(|error| ObjectsError::failed("write", key, error))
    }

    /// Writes an object if its version is `expected`, or with `None` if there is no such object. Returns the version that was
    /// written, or `None` if another writer was first.
    ///
    /// If the connection breaks after the store has written, what was written is found by comparing the bytes: those of two
    /// writers should never be the same.
    ///
    /// # Errors
    /// [`ObjectsError::Failed`].
    pub async fn swap(
        &self,
        key: &str,
        bytes: Bytes,
        expected: Option<&Version>,
    ) -> Result<Option<Version>, ObjectsError> {
        let (path, payload) = (self.path(key)?, PutPayload::from(bytes.clone()));
        let expected = expected.map(|version| version.0.as_str());
        let written = match &self.store {
            Store::Folder(folder) => Arc::clone(folder).swap(path, payload, expected.map(str::to_owned)).await,
            Store::Bucket(bucket) => {
                let of_tag = |tag: &str| UpdateVersion { e_tag: Some(tag.to_owned()), version: None };
                let mode = expected.map_or(PutMode::Create, |tag| PutMode::Update(of_tag(tag)));
                bucket.put_opts(&path, payload, mode.into()).await
            }
        };
        match written {
            Ok(PutResult { e_tag, .. }) => self.version(e_tag, &bytes, key).map(Some),
            Err(Error::AlreadyExists { .. } | Error::Precondition { .. } | Error::NotFound { .. }) => {
                let found = match self.get(key, bytes.len() as u64).await {
                    Err(ObjectsError::TooLarge { .. }) => None,
                    found => found?,
                };
                Ok(found.filter(|found| found.bytes == bytes).map(|found| found.version))
            }
            Err(error) => Err(ObjectsError::failed("write", key, error)),
        }
    }

    /// The time at which an object was written, by the clock of the store. `None` if it does not exist.
    ///
    /// # Errors
    /// [`ObjectsError::Failed`].
    pub async fn modified(&self, key: &str) -> Result<Option<SystemTime>, ObjectsError> {
        match self.reader().head(&self.path(key)?).await {
            Ok(meta) => Ok(Some(meta.last_modified.into())),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(ObjectsError::failed("read", key, error)),
        }
    }

    /// Lists all objects whose keys begin with `prefix` and a slash, in no order.
    ///
    /// # Errors
    /// [`ObjectsError::Failed`], also if there are more than `limit`.
    pub async fn list(&self, prefix: &str, limit: usize) -> Result<Vec<Listed>, ObjectsError> {
        let from = self.path(prefix)?;
        let mut found = self.reader().list(Some(&from));
        let mut listed = Vec::new();
        let late = |error| ObjectsError::failed("list", prefix, error);
        while let Some(meta) = tokio::time::timeout(TIME, found.next()).await.map_err(late)? {
            if listed.len() == limit {
                return Err(ObjectsError::failed("list", prefix, format!("there are more than {limit} objects")));
            }
            let meta = match meta {
                // It was removed while the folder was read.
                Err(Error::NotFound { .. }) => continue,
                meta => meta.map_err(|error| ObjectsError::failed("list", prefix, error))?,
            };
            let key = meta.location.as_ref();
            let key = key.strip_prefix(self.prefix.as_ref()).unwrap_or(key).trim_start_matches('/').to_owned();
            listed.push(Listed { key, size: meta.size, modified: meta.last_modified.into() });
        }
        Ok(listed)
    }

    /// Deletes an object, if it exists.
    ///
    /// # Errors
    /// [`ObjectsError::Failed`].
    pub async fn delete(&self, key: &str) -> Result<(), ObjectsError> {
        match self.reader().delete(&self.path(key)?).await {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(ObjectsError::failed("delete", key, error)),
        }
    }

    fn version(&self, tag: Option<String>, bytes: &[u8], key: &str) -> Result<Version, ObjectsError> {
        let absent = || ObjectsError::failed("use", key, "the store returns no `ETag`");
        match &self.store {
            Store::Folder(_) => Ok(Version(folder::version(bytes))),
            Store::Bucket(_) => tag.map(Version).ok_or_else(absent),
        }
    }

    fn reader(&self) -> &dyn ObjectStore {
        match &self.store {
            Store::Bucket(bucket) => &**bucket,
            Store::Folder(folder) => folder.files(),
        }
    }

    fn path(&self, key: &str) -> Result<Path, ObjectsError> {
        let path = Path::parse(key).map_err(|error| ObjectsError::failed("use", key, error))?;
        Ok(self.prefix.parts().chain(path.parts()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, Objects) {
        let folder = tempfile::tempdir().unwrap();
        let objects = Objects::open(&format!("file://{}/objects", folder.path().display())).unwrap();
        (folder, objects)
    }

    #[tokio::test]
    async fn objects_are_written_read_listed_and_deleted() {
        let (_folder, objects) = folder();
        assert!(objects.get("a/b", 10).await.unwrap().is_none());
        objects.put("a/b", "text".into()).await.unwrap();
        objects.put("ab", "other".into()).await.unwrap();
        assert_eq!(objects.get("a/b", 4).await.unwrap().unwrap().bytes, "text");
        assert!(matches!(objects.get("a/b", 3).await, Err(ObjectsError::TooLarge { size: 4, limit: 3, .. })));
        let listed = objects.list("a", 10).await.unwrap();
        assert_eq!(listed.iter().map(|listed| (listed.key.as_str(), listed.size)).collect::<Vec<_>>(), [("a/b", 4)]);
        objects.delete("a/b").await.unwrap();
        objects.delete("a/b").await.unwrap();
        assert!(objects.list("a", 10).await.unwrap().is_empty());
        assert!(objects.get("../outside", 10).await.is_err());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn one_of_many_writers_is_first() {
        let (_folder, objects) = folder();
        let mut version = None;
        for round in 0..20 {
            let writers = (0..8).map(|writer| {
                let (objects, version) = (objects.clone(), version.clone());
                tokio::spawn(async move {
                    let bytes = format!("{round} {writer}").into();
                    objects.swap("leader", bytes, version.as_ref()).await.unwrap()
                })
            });
            let written = futures_util::future::join_all(writers).await;
            let mut written: Vec<_> = written.into_iter().filter_map(Result::unwrap).collect();
            assert_eq!(written.len(), 1);
            version = written.pop();
        }
    }

    #[test]
    fn other_places_are_refused_in_words() {
        for (place, expected) in [
            ("http://example.com", "it names no known kind of store"),
            ("file://relative", "has to be absolute"),
            ("s3:///prefix", "it names no bucket"),
            ("s3://bucket/a//b", "empty"),
        ] {
            let error = Objects::open(place).unwrap_err().to_string();
            assert!(error.contains(expected) && error.contains("hint: "), "{place}: {error}");
        }
    }
}
