//! `isolette policy`: checks and prints policies.

use isolette::{
    Error,
    policy::{self, PolicyFile},
};

use crate::{
    arguments::{Policy, PolicyChoice},
    exit,
    exit::Code,
    report,
};

pub(crate) fn policy(command: Policy) -> Code {
    match look(command) {
        Ok(()) => Code::SUCCESS,
        Err(error) => exit::fail(&error),
    }
}

fn look(command: Policy) -> Result<(), Error> {
    match command {
        Policy::Check(choice) => {
            let json = choice.json;
            let file = choice.file.clone().or_else(|| choice.sandbox.policy.clone());
            let policy = effective(choice)?;
            if let Some(file) = file {
                PolicyFile::read(&file)?.check_profiles()?;
            }
            if json {
                report::print(&serde_json::json!({ "usable": true }));
            } else {
                report::line(&format!("the policy can be used (network {})", policy.network));
            }
        }
        Policy::Show(choice) => {
            let json = choice.json;
            let policy = effective(choice)?;
            if json {
                report::print(&policy);
            } else {
                report::line(&policy.to_string());
            }
        }
    }
    Ok(())
}

fn effective(choice: PolicyChoice) -> Result<policy::Policy, Error> {
    let mut options = choice.sandbox;
    if choice.file.is_some() && options.policy.is_some() {
        return Err(Error::InvalidArgument {
            message: "two policy files are named".into(),
            hint: "name one, either alone or with `--policy`".into(),
        });
    }
    options.policy = choice.file.or(options.policy);
    options.over(PolicyFile::default())?.check()
}
