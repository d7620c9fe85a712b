//! Runs a program that uses the interface.

use isolette::Sandbox;
use weather::Weather;

fn main() -> Result<(), isolette::Error> {
    let sandbox = Sandbox::builder().capability(Weather::new([("Paris".into(), Some(21.5))])).build()?;
    // The declaration that models get.
    for capability in sandbox.capabilities() {
        println!("{}", capability.declaration(isolette::Language::Python));
    }
    let result = sandbox.run("from acme.weather import forecast\nforecast.get('Paris').summary")?;
    println!("{:?}", result.value);
    Ok(())
}
