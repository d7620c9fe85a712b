//! Policies by name: those that are built in, and those that a file defines.

use std::{collections::BTreeMap, mem};

use super::{NetworkMode, PolicyFile};
use isolette_types::Error;
use isolette_work::nearest;

/// The built-in ones, from the narrowest to the widest.
const BUILT_IN: [(&str, Option<NetworkMode>); 3] =
    [("locked", None), ("web", Some(NetworkMode::Web)), ("full", Some(NetworkMode::Full))];

/// Profiles that one may be founded on, one on another. People who write them use three or four.
const DEPTH: usize = 32;

/// Profiles of one file.
const PROFILES: usize = 1000;

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
    /// or is founded on itself or on more than 32 others; and for more than 1,000 profiles.
    pub fn resolve(mut self) -> Result<Self, Error> {
        let profiles = mem::take(&mut self.profiles);
        check_names(&profiles)?;
        self.founded_on(&profiles)
    }

    /// The same for a file whose profiles are checked and elsewhere.
    pub(super) fn founded_on(mut self, profiles: &BTreeMap<String, Self>) -> Result<Self, Error> {
        let mut seen: Vec<String> = Vec::new();
        while let Some(name) = self.profile.take() {
            if seen.contains(&name) {
                return Err(Error::invalid(
                    format!("the profile `{name}` is founded on itself ({})", seen.join(" on ")),
                    "end the chain with `locked`, `web` or `full`",
                ));
            }
            if seen.len() > DEPTH {
                let first = seen.first().map_or("", String::as_str);
                return Err(Error::invalid(
                    format!("the profile `{first}` is founded on more than {DEPTH} others, one on another"),
                    "put into one profile what several of them say",
                ));
            }
            let found = Self::built_in(&name).or_else(|| profiles.get(&name).cloned());
            self = self.laid_over(found.ok_or_else(|| unknown(&name, profiles))?);
            seen.push(name);
        }
        Ok(self)
    }
}

/// Whether there can be profiles of these names.
pub(super) fn check_names(profiles: &BTreeMap<String, PolicyFile>) -> Result<(), Error> {
    if profiles.len() > PROFILES {
        return Err(Error::invalid(
            format!("there are {} profiles, the limit is {PROFILES}", profiles.len()),
            "put those that are used together into a file of their own",
        ));
    }
    for (name, profile) in profiles {
        if PolicyFile::built_in(name).is_some() {
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
    Ok(())
}

fn unknown(name: &str, profiles: &BTreeMap<String, PolicyFile>) -> Error {
    let known: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).chain(profiles.keys().map(String::as_str)).collect();
    Error::invalid(
        format!("there is no profile `{}`", name.escape_debug()),
        match nearest(name, known.iter().copied(), 1).first() {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => format!("use {}, or define it in `[profiles.NAME]`", known.join(", ")),
        },
    )
}
