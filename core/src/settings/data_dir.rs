//! The data folder.

use std::path::{Path, PathBuf};

use serde::Deserialize;

/// The folder for all data of a node.
#[derive(Debug, Clone, Deserialize)]
pub struct DataDir {
    pub folder: PathBuf,
}

impl DataDir {
    /// A data folder at this path; it is created on first use.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    #[must_use]
    pub fn join(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.join(name)
    }
}
