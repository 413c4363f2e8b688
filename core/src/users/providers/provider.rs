//! Sign-in providers, and the profiles they return.

use serde::{Deserialize, Serialize};

use crate::Error;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Provider {
    Google,
    Discord,
}

impl Provider {
    pub const ALL: [Self; 2] = [Self::Google, Self::Discord];

    /// Its name: `Google`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Google => "Google",
            Self::Discord => "Discord",
        }
    }

    /// Its name in URLs: `google`.
    #[must_use]
    pub fn path(self) -> &'static str {
        match self {
            Self::Google => "google",
            Self::Discord => "discord",
        }
    }

    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|provider| provider.word() == word)
    }

    /// The error for an address whose account signs in through this provider.
    pub(in crate::users) fn linked(self) -> Error {
        match self {
            Self::Google => Error::AuthLinkedGoogle,
            Self::Discord => Error::AuthLinkedDiscord,
        }
    }
}

/// A user's profile at a provider, after all checks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::users) struct ProviderProfile {
    pub provider: Provider,
    /// The provider's id of the user.
    pub subject: String,
    /// Confirmed by the provider.
    pub email: String,
    pub name: Option<String>,
    /// URL of the picture.
    pub picture: Option<String>,
}
