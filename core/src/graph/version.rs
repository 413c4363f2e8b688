use std::fmt;
use std::str::FromStr;

/// A version of ComfyUI, in ascending order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ComfyVersion {
    /// 0.3.64, of October 2025.
    V0_3_64,
    /// 0.33.0, of August 2026.
    #[default]
    V0_33_0,
}

#[derive(Debug, thiserror::Error)]
#[error("unknown ComfyUI version {0}; known are 0.3.64 and 0.33.0")]
pub struct UnknownVersion(String);

impl ComfyVersion {
    /// All versions, the oldest first.
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

impl fmt::Display for ComfyVersion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.version())
    }
}

impl FromStr for ComfyVersion {
    type Err = UnknownVersion;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.into_iter().find(|like| like.version() == text);
        known.ok_or_else(|| UnknownVersion(text.to_owned()))
    }
}
