//! The languages of the pages and of our mail.

use serde::{Deserialize, Serialize};

/// A language that everything is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    #[default]
    En,
    Ko,
}

impl Language {
    /// The tag: `en`.
    #[must_use]
    pub fn tag(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Ko => "ko",
        }
    }

    /// The language of this tag; English for one that is not known.
    #[must_use]
    pub fn from_tag(tag: &str) -> Self {
        if tag == "ko" { Self::Ko } else { Self::En }
    }
}
