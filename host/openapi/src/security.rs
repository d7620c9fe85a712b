//! Authentication: the security requirements of an operation, and the secrets that the host has for them.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::Value;

use super::{
    document::{Document, elements, entries, shown, text},
    limits::ENTRIES,
    location::Location,
};
use isolette_types::{Error, Secret};

/// A credential that is sent with a request.
#[derive(Clone, Debug)]
pub(super) struct Credential {
    pub(super) location: Location,
    pub(super) name: String,
    pub(super) value: Secret,
    /// The secret as the embedder passed it, to detect echoes of it.
    pub(super) secret: Secret,
}

/// The security schemes of a document, and the secrets for them.
pub(super) struct Security<'a> {
    document: &'a Document,
    held: Vec<(&'a str, Vec<Credential>)>,
}

/// The credentials that are sent for an operation.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    pub(super) credentials: Vec<Credential>,
    /// The required schemes, if the host does not have the secrets for them.
    pub(super) lacking: Option<String>,
}

impl<'a> Security<'a> {
    /// Assigns secrets to schemes.
    ///
    /// # Errors
    /// If a secret is for a scheme that the document does not have, or cannot be used for it.
    pub(super) fn new(document: &'a Document, secrets: &'a [(String, Secret)]) -> Result<Self, Error> {
        let schemes: Vec<_> = schemes(document).collect();
        let held = secrets
            .iter()
            .map(|(name, secret)| {
                let Some((_, scheme)) = schemes.iter().find(|(known, _)| *known == name) else {
                    let names: Vec<_> = schemes.iter().take(20).map(|(name, _)| format!("`{}`", shown(name))).collect();
                    return Err(Error::invalid(
                        format!("there is no security scheme `{}` in the document", shown(name)),
                        match names.as_slice() {
                            [] => "the document has none; send the secret as a header".to_owned(),
                            names => format!("it has {}", names.join(", ")),
                        },
                    ));
                };
                Ok((name.as_str(), vec![credential(name, scheme, secret)?]))
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { document, held })
    }

    /// Chooses the first alternative for which the host has all secrets; else no credentials.
    pub(super) fn choose(&self, operation: &Value) -> Chosen {
        let requirements = operation.get("security").or_else(|| self.document.root.get("security"));
        let mut lacking = Vec::new();
        let mut anonymous = requirements.is_none();
        for requirement in elements(requirements).take(ENTRIES) {
            let names: Vec<&String> = entries(Some(requirement)).map(|(name, _)| name).take(ENTRIES).collect();
            anonymous |= names.is_empty();
            let found: Option<Vec<_>> = names
                .iter()
                .map(|name| self.held.iter().find(|(held, _)| held == name).map(|(_, credentials)| credentials))
                .collect();
            match found {
                Some(found) if !found.is_empty() => {
                    return Chosen { credentials: found.into_iter().flatten().cloned().collect(), lacking: None };
                }
                Some(_) => {}
                None => lacking
                    .push(names.iter().map(|name| format!("`{}`", shown(name))).collect::<Vec<_>>().join(" and ")),
            }
        }
        let lacking = (!anonymous && !lacking.is_empty()).then(|| lacking.join(" or "));
        Chosen { credentials: Vec::new(), lacking }
    }

    /// Whether a parameter carries the key of a scheme, which the host sets.
    pub(super) fn is_credential(&self, location: Location, name: &str) -> bool {
        schemes(self.document).any(|(_, scheme)| {
            text(scheme, "type") == Some("apiKey")
                && text(scheme, "in").and_then(Location::named) == Some(location)
                && text(scheme, "name").is_some_and(|known| location.is_same_name(known, name))
        })
    }
}

fn schemes(document: &Document) -> impl Iterator<Item = (&String, &Value)> {
    entries(document.root.get("components").and_then(|components| components.get("securitySchemes")))
        .filter_map(|(name, scheme)| Some((name, document.resolve(scheme).ok()?)))
        .take(ENTRIES)
}

fn credential(name: &str, scheme: &Value, secret: &Secret) -> Result<Credential, Error> {
    let header = |value: String| Credential {
        location: Location::Header,
        name: "Authorization".into(),
        value: value.into(),
        secret: secret.clone(),
    };
    let kind = text(scheme, "type").unwrap_or_default();
    let unusable = |why: String| {
        Error::invalid(format!("the security scheme `{}` {why}", shown(name)), "send the secret as a header instead")
    };
    match kind {
        "apiKey" => match (text(scheme, "in").and_then(Location::named), text(scheme, "name")) {
            (Some(location), Some(name)) if location != Location::Path => {
                Ok(Credential { location, name: name.into(), value: secret.clone(), secret: secret.clone() })
            }
            _ => Err(unusable("does not say where its key goes".into())),
        },
        "http" => match text(scheme, "scheme").unwrap_or_default().to_ascii_lowercase().as_str() {
            "basic" if !secret.expose().contains(':') => Err(Error::invalid(
                format!("the security scheme `{}` is HTTP basic, and its secret has no colon", shown(name)),
                "give `user:password`",
            )),
            "basic" => Ok(header(format!("Basic {}", STANDARD.encode(secret.expose())))),
            "bearer" => Ok(header(format!("Bearer {}", secret.expose()))),
            other @ ("digest" | "mutual" | "negotiate" | "hoba" | "scram-sha-1" | "scram-sha-256" | "vapid") => {
                Err(unusable(format!("is HTTP {other}, which is not supported")))
            }
            _ => Ok(header(format!("{} {}", text(scheme, "scheme").unwrap_or_default(), secret.expose()))),
        },
        "oauth2" | "openIdConnect" => Ok(header(format!("Bearer {}", secret.expose()))),
        other => Err(unusable(format!("is of the type `{}`, which is not supported", shown(other)))),
    }
}
