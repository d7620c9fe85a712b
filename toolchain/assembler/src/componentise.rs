//! A core module that was built against WIT, as a component.

use std::{fs, path::Path};

use anyhow::{Context as _, Result};
use wit_component::ComponentEncoder;

/// Makes a component of `module` and writes it to `output`.
pub(crate) fn componentise(module: &Path, output: &Path) -> Result<()> {
    let bytes = fs::read(module).with_context(|| format!("cannot read {}", module.display()))?;
    let component = ComponentEncoder::default()
        .module(&bytes)
        .and_then(|encoder| encoder.validate(true).encode())
        .with_context(|| format!("{} cannot be made a component", module.display()))?;
    fs::write(output, component).with_context(|| format!("cannot write {}", output.display()))
}
