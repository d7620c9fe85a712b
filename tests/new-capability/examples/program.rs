//! Runs a program that uses the interface.

use isolette::Sandbox;
use new_capability::NewCapabilityServer;

fn main() -> Result<(), isolette::Error> {
    let sandbox = Sandbox::builder().capability(NewCapabilityServer::new([("Paris".into(), Some(21.5))])).build()?;
    // The declaration that models get.
    for capability in sandbox.capabilities() {
        println!("{}", capability.declaration(isolette::Language::Python));
    }
    let result = sandbox.run("from acme.new_capability import new_capability\nnew_capability.get('Paris').summary")?;
    println!("{:?}", result.value);
    Ok(())
}
