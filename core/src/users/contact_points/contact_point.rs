//! Where people can be reached, as they say themselves.

/// What a contact point is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ContactKind {
    /// An address of the web, with http or https.
    Homepage,
    /// A handle, without its @.
    Instagram,
    Email,
}

impl ContactKind {
    /// Its name in the API and in the database.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Homepage => "homepage",
            Self::Instagram => "instagram",
            Self::Email => "email",
        }
    }

    pub(in crate::users) fn from_word(word: &str) -> Option<Self> {
        [Self::Homepage, Self::Instagram, Self::Email].into_iter().find(|kind| kind.word() == word)
    }
}

/// One way to reach a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContactPoint {
    pub kind: ContactKind,
    pub value: String,
}
