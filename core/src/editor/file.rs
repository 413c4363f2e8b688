//! A file of a user's node editor.

use std::fmt;

use bytes::Bytes;
use chrono::{DateTime, Utc};

use crate::{Error, Result};

/// A path relative to the user's own root: `workflows/My flow.json`. It cannot lead out of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct EditorPath(String);

/// A file without its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditorFileInfo {
    pub path: EditorPath,
    pub size: u64,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditorFile {
    pub info: EditorFileInfo,
    pub content: Bytes,
}

/// What to do where a path is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteMode {
    Replace,
    CreateOnly,
}

const MAX_PATH_BYTES: usize = 1000;
const MAX_SEGMENT_BYTES: usize = 255;

impl EditorPath {
    /// # Errors
    /// [`Error::Forbidden`] for a path that leads out of the user's root, as ComfyUI's server answers;
    /// [`Error::Invalid`] for one that names no file.
    pub fn parse(text: &str) -> Result<Self> {
        let segments = || text.split(['/', '\\']);
        if text.starts_with(['/', '\\']) || segments().any(|segment| segment == "..") {
            return Err(Error::Forbidden);
        }
        let is_name =
            |segment: &str| !segment.trim().is_empty() && segment != "." && segment.len() <= MAX_SEGMENT_BYTES;
        if text.len() > MAX_PATH_BYTES
            || text.contains('\\')
            || text.chars().any(char::is_control)
            || !segments().all(is_name)
        {
            return Err(Error::invalid("file", "is not a path of a file"));
        }
        Ok(Self(text.to_owned()))
    }

    /// A path from a row, which was checked before.
    pub(super) fn of_row(path: String) -> Self {
        Self(path)
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path relative to a folder that contains it.
    #[must_use]
    pub fn below(&self, folder: &Self) -> Option<&str> {
        self.0.strip_prefix(folder.as_str())?.strip_prefix('/')
    }
}

impl fmt::Display for EditorPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
