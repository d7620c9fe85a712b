//! Policies by name: those that are built in, and those that a file defines.

use std::{collections::BTreeMap, mem};

use super::{NetworkMode, PolicyFile};
use crate::{Error, catalog};

/// The built-in ones, from the narrowest to the widest.
const BUILT_IN: [(&str, Option<NetworkMode>); 3] =
    [("locked", None), ("web", Some(NetworkMode::Web)), ("full", Some(NetworkMode::Full))];

impl PolicyFile {
    /// A built-in profile: `locked` (nothing, the default), `web` (requests that only read, from public addresses over
    /// https) or `full` (every request to public addresses). They differ in nothing else.
    #[must_use]
    pub fn built_in(name: &str) -> Option<Self> {
        let (_, network) = BUILT_IN.into_iter().find(|(built_in, _)| *built_in == name)?;
        Some(Self { network, ..Self::default() })
    }

    /// Puts everything that its profile says below what it says itself. What comes out names no profile any more.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a profile that is not there, is built in and defined again, has profiles of its own,
    /// or is founded on itself.
    pub fn resolve(mut self) -> Result<Self, Error> {
        let profiles = mem::take(&mut self.profiles);
        for (name, profile) in &profiles {
            if Self::built_in(name).is_some() {
                return Err(Error::invalid(
                    format!("the profile `{name}` is built in and cannot be defined"),
                    "give it another name, and have it say `profile = \"…\"` for what it starts from",
                ));
            }
            if !profile.profiles.is_empty() {
                return Err(Error::invalid(
                    format!("the profile `{name}` has profiles of its own"),
                    "define all of them side by side",
                ));
            }
        }
        let mut seen: Vec<String> = Vec::new();
        while let Some(name) = self.profile.take() {
            if seen.contains(&name) {
                return Err(Error::invalid(
                    format!("the profile `{name}` is founded on itself ({})", seen.join(" on ")),
                    "end the chain with `locked`, `web` or `full`",
                ));
            }
            let found = Self::built_in(&name).or_else(|| profiles.get(&name).cloned());
            self = self.laid_over(found.ok_or_else(|| unknown(&name, &profiles))?);
            seen.push(name);
        }
        Ok(self)
    }
}

fn unknown(name: &str, profiles: &BTreeMap<String, PolicyFile>) -> Error {
    let known: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).chain(profiles.keys().map(String::as_str)).collect();
    Error::invalid(
        format!("there is no profile `{}`", name.escape_debug()),
        match catalog::nearest(name, known.iter().copied(), 1).first() {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => format!("use {}, or define it in `[profiles.NAME]`", known.join(", ")),
        },
    )
}
