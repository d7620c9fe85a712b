//! Tests of programs that use the interface.

use isolette::{Error, Language, Sandbox, SandboxBuilder};
use new_capability::NewCapabilityServer;

fn sandbox() -> SandboxBuilder {
    Sandbox::builder().capability(NewCapabilityServer::new([("Paris".into(), Some(21.5)), ("Rome".into(), None)]))
}

#[test]
fn python_has_a_typed_module() -> Result<(), Error> {
    let result = sandbox().build()?.run(
        r#"
from acme.new_capability import new_capability

print(new_capability.get("Paris").high_c)
try:
    new_capability.get("Atlantis")
except new_capability.Failure.UnknownPlace as error:
    print("unknown place", error.value)
"#,
    )?;
    assert_eq!(result.stdout, "21.5\nunknown place Atlantis\n", "{:?}", result.error);
    assert_eq!(result.calls[0].note.as_deref(), Some("found in the table"));
    Ok(())
}

#[test]
fn javascript_has_a_typed_module() -> Result<(), Error> {
    let result = sandbox().language(Language::JavaScript).build()?.run(
        r#"
import { get } from "acme:new-capability/new-capability";

console.log(get("Paris").highC);
try {
  get("Rome");
} catch (error) {
  console.log(error.payload.tag);
}
"#,
    )?;
    assert_eq!(result.stdout, "21.5\nno-report\n", "{:?}", result.error);
    Ok(())
}

#[test]
fn a_denied_call_is_recorded() -> Result<(), Error> {
    let result = sandbox()
        .allow_capability("acme:new-capability/new-capability.something-else")
        .build()?
        .run("from acme.new_capability import new_capability\nnew_capability.get('Paris')")?;
    assert_eq!(result.calls[0].outcome.as_str(), "denied");
    Ok(())
}
