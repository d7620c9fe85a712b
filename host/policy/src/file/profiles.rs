//! Profiles: named policies, built in or defined in a file.

use std::{collections::BTreeMap, mem};

use super::PolicyFile;
use crate::network::NetworkMode;
use isolette_types::Error;
use isolette_work::nearest;

/// The built-in profile without network.
const LOCKED: &str = "locked";

/// The built-in profiles, from the most to the least restrictive.
const BUILT_IN: [(&str, Option<NetworkMode>); 3] =
    [(LOCKED, None), ("web", Some(NetworkMode::Web)), ("full", Some(NetworkMode::Full))];

/// Maximum length of a chain of profiles, each based on the next. Typical chains have three or four.
const DEPTH: usize = 32;

/// Maximum number of profiles in one file.
const PROFILES: usize = 1000;

impl PolicyFile {
    /// Returns a built-in profile: `locked` (no network, the default), `web` (requests that only read, to public
    /// addresses over https) or `full` (every request to public addresses). They differ in nothing else. `None` for any
    /// other name.
    #[must_use]
    pub fn built_in(name: &str) -> Option<Self> {
        let (_, network) = BUILT_IN.into_iter().find(|(built_in, _)| *built_in == name)?;
        Some(Self { network, ..Self::default() })
    }

    /// Merges the file over its profile. The result refers to no profile.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a profile that does not exist, redefines a built-in one, has profiles of its own,
    /// or is based on itself or on a chain of more than 32 others; and for more than 1,000 profiles.
    pub fn resolve(mut self) -> Result<Self, Error> {
        let profiles = mem::take(&mut self.profiles);
        check_names(&profiles)?;
        self.founded_on(&profiles)
    }

    /// Applies a profile that was chosen outside of the file, by a flag or by a caller, in place of the file's own one: one of
    /// `profiles`, or a built-in one. What it sets replaces what the file sets, and `locked` denies the network. The result refers to
    /// no profile, and keeps the definitions of the others.
    ///
    /// ```
    /// use isolette::policy::PolicyFile;
    ///
    /// let file = PolicyFile::parse("timeout = '2s'\nmemory = '128MiB'\n[profiles.slow]\ntimeout = '1m'").unwrap();
    /// let limits = file.with_profile("slow").unwrap().check().unwrap().limits;
    /// assert_eq!((limits.timeout.as_secs(), limits.memory), (60, 128 << 20));
    /// ```
    ///
    /// # Errors
    /// The errors of [`PolicyFile::resolve`].
    pub fn with_profile(mut self, name: &str) -> Result<Self, Error> {
        self.profile = None;
        check_names(&self.profiles)?;
        let mut chosen = Self { profile: Some(name.to_owned()), ..Self::default() }.founded_on(&self.profiles)?;
        if name == LOCKED {
            chosen.network = Some(NetworkMode::None);
        }
        Ok(chosen.laid_over(self))
    }

    /// Like [`PolicyFile::resolve`], with profiles of another file, which are already checked.
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

/// Checks the number, the names and the nesting of profiles.
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
