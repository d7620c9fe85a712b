//! What programs make of the interface.

use isolette::{Error, Language, Sandbox, SandboxBuilder};
use tides::TidesServer;

fn sandbox() -> SandboxBuilder {
    Sandbox::builder().capability(TidesServer::new([("Paris".into(), Some(21.5)), ("Rome".into(), None)]))
}

#[test]
fn python_has_a_typed_module() -> Result<(), Error> {
    let result = sandbox().build()?.run(
        r#"
from acme.tides import tides

print(tides.get("Paris").high_c)
try:
    tides.get("Atlantis")
except tides.Failure.UnknownPlace as error:
    print("nobody knows", error.value)
"#,
    )?;
    assert_eq!(result.stdout, "21.5\nnobody knows Atlantis\n", "{:?}", result.error);
    assert_eq!(result.calls[0].note.as_deref(), Some("known by heart"));
    Ok(())
}

#[test]
fn so_has_javascript() -> Result<(), Error> {
    let result = sandbox().language(Language::JavaScript).build()?.run(
        r#"
import { get } from "acme:tides/tides";

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
fn what_the_policy_does_not_allow_is_denied() -> Result<(), Error> {
    let result = sandbox()
        .allow_capability("acme:tides/tides.something-else")
        .build()?
        .run("from acme.tides import tides\ntides.get('Paris')")?;
    assert_eq!(result.calls[0].outcome.as_str(), "denied");
    Ok(())
}
