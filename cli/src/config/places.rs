//! Resolves paths in the file against the folder of the file, not against the working directory.

use std::path::{Path, PathBuf};

use super::Config;

impl Config {
    pub(super) fn resolve(&mut self, folder: &Path) {
        let resolve = |path: &mut PathBuf| *path = folder.join(&*path);
        self.sandbox.resolve_paths(folder);
        for source in &mut self.openapi {
            if !source.source.contains("://") {
                source.source = folder.join(&source.source).display().to_string();
            }
            source.secrets.values_mut().chain(source.headers.values_mut()).for_each(|secret| secret.resolve(folder));
        }
        for source in &mut self.mcp {
            source.directory.iter_mut().for_each(resolve);
            source.env.values_mut().chain(source.headers.values_mut()).for_each(|secret| secret.resolve(folder));
        }
        self.server.audit.iter_mut().for_each(resolve);
        self.server.state.iter_mut().for_each(resolve);
        [&mut self.service.audit, &mut self.service.state, &mut self.service.socket]
            .into_iter()
            .flatten()
            .for_each(resolve);
        self.service.tokens.values_mut().for_each(|token| token.resolve(folder));
        self.server.token.iter_mut().for_each(|token| token.resolve(folder));
    }
}
