//! A provider of sign-ins, and whom it tells.

use serde::{Deserialize, Serialize};

use crate::Error;

/// A provider of sign-ins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Provider {
    Google,
    Discord,
}

impl Provider {
    /// All there are.
    pub const ALL: [Self; 2] = [Self::Google, Self::Discord];

    /// Its name: `Google`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Google => "Google",
            Self::Discord => "Discord",
        }
    }

    /// Its name in addresses: `google`.
    #[must_use]
    pub fn path(self) -> &'static str {
        match self {
            Self::Google => "google",
            Self::Discord => "discord",
        }
    }

    /// The provider of this name.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|provider| provider.word() == word)
    }

    /// What somebody is told whose address belongs to an account at this provider.
    pub(in crate::users) fn linked(self) -> Error {
        match self {
            Self::Google => Error::AuthLinkedGoogle,
            Self::Discord => Error::AuthLinkedDiscord,
        }
    }
}

/// Whom a provider told, after everything about the telling was checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::users) struct Told {
    pub provider: Provider,
    /// The provider's own id of the person.
    pub subject: String,
    /// Confirmed by the provider.
    pub email: String,
    pub name: Option<String>,
    /// Where their picture is.
    pub picture: Option<String>,
}
