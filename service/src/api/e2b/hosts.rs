//! The names of sandboxes as hosts: `PORT-IDENTIFIER.DOMAIN`. Requests to them become requests below [`PATH`], which name their sandbox
//! in a header, before anything else looks at them.

use super::{PATH, Refusal, access::SANDBOX};
use crate::{api::addressed::E2bDomain, failure::Failure, id};
use http::{HeaderValue, StatusCode, Uri, header, uri::PathAndQuery};

/// The ports of E2B's code interpreter, and of its service for files and processes. Both are answered in the same way.
const PORTS: [u16; 2] = [49_999, 49_983];

/// The beginning of identifiers of sandboxes, before a `-`.
const PREFIX: &str = "sb";

/// The first parts of the paths of one sandbox. Those that end with `.` are the beginnings of names of services.
const PATHS: [&str; 6] = ["execute", "contexts", "files", "health", "filesystem.", "process."];

/// The subject of a host.
#[derive(Debug, PartialEq, Eq)]
enum Host {
    /// The server itself.
    Server,
    /// The interface for sandboxes as a whole.
    Api,
    Sandbox {
        port: u16,
        id: String,
    },
}

impl Host {
    /// Reads a host, which was checked to be a name or an address with an optional port.
    fn of(host: &str, domain: Option<&E2bDomain>) -> Result<Self, Failure> {
        let host = host.to_ascii_lowercase();
        let name = host.split_once(':').map_or(host.as_str(), |(name, _)| name);
        let name = name.strip_suffix('.').unwrap_or(name);
        let Some((label, parent)) = name.split_once('.') else { return Ok(Self::Server) };
        let is_below = domain.is_none_or(|domain| domain.name() == parent);
        if domain.is_some() && is_below && label == "api" {
            return Ok(Self::Api);
        }
        // Other names may begin with digits too: `10-0-0-7.default.pod.cluster.local`.
        let Some((port, id)) = label.split_once('-').filter(|(_, id)| is_of_sandbox(id)) else {
            return Ok(Self::Server);
        };
        let wrong =
            |message: String, hint: &str| Failure::new(StatusCode::MISDIRECTED_REQUEST, "NotHere", message, hint);
        let is_number = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) && !port.starts_with('0');
        let port = port.parse().ok().filter(|_| is_number && id::is_random(PREFIX, id));
        let Some(port) = port else {
            return Err(wrong(format!("`{label}` names no port of a sandbox"), "write PORT-IDENTIFIER.DOMAIN"));
        };
        if !is_below {
            let message = format!("`{parent}` is not the domain of the sandboxes of this server");
            return Err(wrong(message, "use the `domain` that the sandbox was created with"));
        }
        Ok(Self::Sandbox { port, id: id.to_owned() })
    }
}

/// Whether a part of a host is meant to be a sandbox.
fn is_of_sandbox(text: &str) -> bool {
    text.strip_prefix(PREFIX).is_some_and(|rest| rest.starts_with('-'))
}

/// Makes a request to the host of a sandbox one below [`PATH`]. Other requests remain as they are.
pub(crate) fn resolve<B>(request: &mut http::Request<B>, domain: Option<&E2bDomain>) -> Result<(), Refusal> {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let path = request.uri().path();
    match Host::of(host, domain)? {
        Host::Server => return Ok(()),
        Host::Api => {}
        Host::Sandbox { port, id } => {
            if !PORTS.contains(&port) {
                let what = format!("port {port}");
                return Err(Refusal::absent(&what, "programs cannot listen: get results as values, output and files"));
            }
            let first = path.split('/').nth(1).unwrap_or_default();
            let is_one = |known: &&str| first == *known || known.ends_with('.') && first.starts_with(*known);
            if !PATHS.iter().any(is_one) {
                return Err(Failure::not_found("path", path).into());
            }
            if request.headers().get_all(SANDBOX).iter().any(|named| named.as_bytes() != id.as_bytes()) {
                let message = "Host and `E2b-Sandbox-Id` name different sandboxes";
                return Err(Failure::invalid(message, "send one of them").into());
            }
            let id = HeaderValue::from_str(&id).map_err(|_| Failure::invalid("Host cannot be read", ""))?;
            request.headers_mut().insert(SANDBOX, id);
        }
    }
    let path = request.uri().path_and_query().map_or("/", PathAndQuery::as_str);
    let unreadable = |_| Failure::invalid("the path cannot be read", "write it as RFC 3986 says");
    *request.uri_mut() = format!("{PATH}{path}").parse::<Uri>().map_err(unreadable)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "sb-0123456789abcdef0123456789abcdef";

    fn domain(text: &str) -> Option<E2bDomain> {
        Some(E2bDomain::new(text).unwrap())
    }

    #[test]
    fn hosts_name_one_sandbox_or_none() {
        let sandbox = |port| Ok(Host::Sandbox { port, id: ID.into() });
        let read = |host: &str, domain: &Option<E2bDomain>| Host::of(host, domain.as_ref()).map_err(drop);
        for domain in [None, domain("e2b.localhost:7070"), domain("e2b.localhost")] {
            for host in ["49999-ID.e2b.localhost", "49999-ID.e2b.localhost:7070", "49999-ID.E2B.localhost.:1"] {
                assert_eq!(read(&host.replace("ID", ID), &domain), sandbox(49_999), "{host}");
                assert_eq!(read(&host.replace("ID", &ID.to_uppercase()), &domain), sandbox(49_999), "{host}");
            }
            for host in
                ["localhost", "127.0.0.1:80", "[::1]:80", "", "e2b.localhost:7070", "10-0-0-7.default.pod", ID, "a.b"]
            {
                assert_eq!(read(host, &domain), Ok(Host::Server), "{host}");
            }
            for label in
                ["-ID", "x-ID", "0-ID", "049999-ID", "65536-ID", "+1-ID", "1-ID-", "1-ID_", "1-IDIDIDIDIDIDIDID"]
            {
                let host = format!("{}.e2b.localhost", label.replace("ID", ID));
                let is_refused = read(&host, &domain).is_err();
                // `-sb-…` has no port before the prefix.
                assert!(is_refused, "{host}");
            }
        }
        let domain = domain("e2b.localhost");
        for host in ["49999-ID.localhost", "49999-ID.e2b.localhost.evil.com", "49999-ID.x.e2b.localhost"] {
            assert!(read(&host.replace("ID", ID), &domain).is_err(), "{host}");
        }
        assert_eq!(read("api.e2b.localhost:1", &domain), Ok(Host::Api));
        assert_eq!(read("api.localhost", &domain), Ok(Host::Server));
        assert_eq!(read("api.e2b.localhost", &None), Ok(Host::Server));
    }

    #[test]
    fn only_paths_of_a_sandbox_are_below_its_host() {
        let resolved = |host: &str, path: &str, named: &[&str]| {
            let mut request = http::Request::get(path).header("host", host.replace("ID", ID));
            for name in named {
                request = request.header(SANDBOX, name.replace("ID", ID));
            }
            let mut request = request.body(()).unwrap();
            resolve(&mut request, None).map_err(|refusal| refusal.0.status.as_u16())?;
            let named: Vec<_> =
                request.headers().get_all(SANDBOX).iter().map(|id| id.to_str().unwrap().to_owned()).collect();
            Ok((request.uri().to_string(), named))
        };
        let host = "49983-ID.localhost:7070";
        for path in ["/execute", "/files?path=a%2Fb", "/contexts/a/restart", "/filesystem.Filesystem/Stat"] {
            let expected = Ok((format!("/e2b{path}"), vec![ID.to_owned()]));
            for named in [&[][..], &["ID"], &["ID", "ID"]] {
                assert_eq!(resolved(host, path, named), expected, "{path}");
            }
            assert_eq!(resolved(host, path, &["sb-other"]), Err(400));
            assert_eq!(resolved(host, path, &["ID", "sb-other"]), Err(400));
            assert_eq!(resolved("localhost", path, &["x"]), Ok((path.to_owned(), vec!["x".to_owned()])));
        }
        for path in
            ["/", "/v1/sandboxes", "/sandboxes", "/e2b/execute", "/%65xecute", "//execute", "/ready", "/filesystem"]
        {
            assert_eq!(resolved(host, path, &[]), Err(404), "{path}");
        }
        assert_eq!(resolved("3000-ID.localhost", "/execute", &[]), Err(501));
        assert_eq!(resolved("x-ID.localhost", "/execute", &[]), Err(421));
    }
}
