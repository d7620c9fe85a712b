//! `isolette capability`.

use std::path::PathBuf;

use clap::Subcommand;
use isolette::interface::InterfaceName;

#[derive(Debug, Subcommand)]
pub(crate) enum Capability {
    /// Create a crate with an interface in WIT, its implementation, tests and an example.
    New {
        /// The directory of the crate. Its last part is the name of the crate.
        directory: PathBuf,
        /// The interface. Default: acme:NAME/NAME@0.1.0
        #[arg(long, value_name = "NAMESPACE:PACKAGE/INTERFACE@VERSION")]
        interface: Option<InterfaceName>,
        /// The sources of Isolette to depend on. Default: the sources that this program was built from, if they still exist
        #[arg(long, value_name = "DIR")]
        isolette: Option<PathBuf>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}
