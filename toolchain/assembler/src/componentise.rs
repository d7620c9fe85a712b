//! Converts a core module with embedded WIT to a component.

use std::{fs, path::Path};

use anyhow::{Context as _, Result};
use wit_component::ComponentEncoder;

/// Converts `module` to a component and writes it to `output`.
pub(crate) fn componentise(module: &Path, output: &Path) -> Result<()> {
    let bytes = fs::read(module).with_context(|| format!("cannot read {}", module.display()))?;
    let component = ComponentEncoder::default()
        .module(&bytes)
        .and_then(|encoder| encoder.validate(true).encode())
        .with_context(|| format!("cannot convert {} to a component", module.display()))?;
    fs::write(output, component).with_context(|| format!("cannot write {}", output.display()))
}
