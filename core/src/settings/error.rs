//! What is wrong with a setting.

/// Why the settings cannot be used. The text names the key or the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SettingsError(pub(crate) String);
