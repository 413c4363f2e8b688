//! Which ComfyUI is meant, where its versions differ.

use std::fmt;
use std::str::FromStr;

/// A version of ComfyUI. Later ones are greater.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Like {
    /// 0.3.64, of October 2025.
    V0_3_64,
    /// 0.33.0, of August 2026.
    #[default]
    V0_33_0,
}

/// Nothing here is like that version.
#[derive(Debug, thiserror::Error)]
#[error("no such version: {0} (there are 0.3.64 and 0.33.0)")]
pub struct NoSuchVersion(String);

impl Like {
    /// Every version, the oldest first.
    pub const ALL: [Self; 2] = [Self::V0_3_64, Self::V0_33_0];

    /// The version as ComfyUI writes it.
    #[must_use]
    pub fn version(self) -> &'static str {
        match self {
            Self::V0_3_64 => "0.3.64",
            Self::V0_33_0 => "0.33.0",
        }
    }
}

impl fmt::Display for Like {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.version())
    }
}

impl FromStr for Like {
    type Err = NoSuchVersion;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.into_iter().find(|like| like.version() == text);
        known.ok_or_else(|| NoSuchVersion(text.to_owned()))
    }
}
