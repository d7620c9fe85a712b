//! `isolette image`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::sandbox_options::SandboxOptions;

#[derive(Debug, Subcommand)]
pub(crate) enum Image {
    /// List the images on this machine.
    List {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print the contents of an image.
    Inspect(ImageChoice),
    /// Compare every file of an image with its digest.
    Verify(ImageChoice),
    /// Make an image whose programs start in the state after a set-up program: modules imported, data loaded, functions defined.
    Warm(Box<WarmImage>),
}

/// The set-up program runs once for each isolation that the image is for, with the rights that the flags grant. The image has none
/// of them, and contains what the program had in memory.
#[derive(Debug, Args)]
pub(crate) struct WarmImage {
    /// The set-up program.
    #[arg(long = "run", value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The name of the image.
    #[arg(long)]
    pub(crate) name: String,
    /// Where the image is made. Default: a folder with its name in isolette/images of the user's data folder.
    #[arg(long, value_name = "DIR")]
    pub(crate) to: Option<PathBuf>,
    /// Replace an image with this name that was made in the same way.
    #[arg(long)]
    pub(crate) replace: bool,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) sandbox: SandboxOptions,
}

#[derive(Debug, Args)]
pub(crate) struct ImageChoice {
    /// A language, the name of an image, or its directory, as a path with a /.
    #[arg(value_name = "NAME|DIR")]
    pub(crate) image: String,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}
