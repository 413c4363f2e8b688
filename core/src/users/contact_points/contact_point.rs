#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ContactKind {
    /// An http or https URL.
    Homepage,
    /// A handle, without its @.
    Instagram,
    Email,
}

impl ContactKind {
    /// The name in the API and in the database.
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

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContactPoint {
    pub kind: ContactKind,
    pub value: String,
}
