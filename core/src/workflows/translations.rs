//! What a workflow is called and says in other languages. Its author brings the words along; an edit of the original
//! leaves them as they are, because a title that was put right is seldom another title.

use serde::{Deserialize, Serialize};

use crate::html::clean;
use crate::language::ByLanguage;

/// A workflow's words in one language. What is missing is read as it was written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Translation {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Sanitised HTML.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// A workflow's words in other languages than the one it was written in.
pub type Translations = ByLanguage<Translation>;

impl Translations {
    /// The same with descriptions as they may be shown.
    pub(super) fn shown(&self) -> Self {
        self.map(|words| {
            Some(Translation { name: words.name.clone(), description: words.description.as_deref().map(clean) })
        })
    }

    /// The same without names, for a copy: it has a name of its own.
    pub(super) fn nameless(&self) -> Self {
        self.map(|words| {
            let description = words.description.clone()?;
            Some(Translation { name: None, description: Some(description) })
        })
    }
}
