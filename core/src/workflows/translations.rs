//! Names and descriptions of a workflow in other languages. Its author writes them. An edit of the original keeps them,
//! because most edits of a title do not change its meaning.

use serde::{Deserialize, Serialize};

use crate::html::clean;
use crate::language::ByLanguage;

/// A workflow's texts in one language. Missing ones are read in the original language.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Translation {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Sanitized HTML.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// A workflow's texts in other languages than the original's.
pub type Translations = ByLanguage<Translation>;

impl Translations {
    /// The translations with sanitized descriptions.
    pub(super) fn shown(&self) -> Self {
        self.map(|words| {
            Some(Translation { name: words.name.clone(), description: words.description.as_deref().map(clean) })
        })
    }

    /// The translations without names, for a copy with a name of its own.
    pub(super) fn nameless(&self) -> Self {
        self.map(|words| {
            let description = words.description.clone()?;
            Some(Translation { name: None, description: Some(description) })
        })
    }
}
