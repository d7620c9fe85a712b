//! Runs a program that uses the interface.

use isolette::Sandbox;
use tides::TidesServer;

fn main() -> Result<(), isolette::Error> {
    let sandbox = Sandbox::builder().capability(TidesServer::new([("Paris".into(), Some(21.5))])).build()?;
    // What a model is told of it.
    for capability in sandbox.capabilities() {
        println!("{}", capability.declaration(isolette::Language::Python));
    }
    let result = sandbox.run("from acme.tides import tides\ntides.get('Paris').summary")?;
    println!("{:?}", result.value);
    Ok(())
}
