//! What a workflow is called and says in other languages. Its author brings the words along; an edit of the original
//! leaves them as they are, because a title that was put right is seldom another title.

use serde::{Deserialize, Serialize};

use super::Workflow;
use crate::html::clean;
use crate::language::{ByLanguage, Language};

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

impl Workflow {
    /// What it is called in this language.
    #[must_use]
    pub fn name_in(&self, language: Language) -> &str {
        self.translations.get(language).and_then(|words| words.name.as_deref()).unwrap_or(&self.name)
    }

    /// What it says in this language; HTML.
    #[must_use]
    pub fn description_in(&self, language: Language) -> &str {
        self.translations.get(language).and_then(|words| words.description.as_deref()).unwrap_or(&self.description)
    }

    /// All that it is called.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.name.as_str()).chain(self.translations.values().filter_map(|words| words.name.as_deref()))
    }

    /// All that it says of itself; HTML.
    pub fn descriptions(&self) -> impl Iterator<Item = &str> {
        let others = self.translations.values().filter_map(|words| words.description.as_deref());
        std::iter::once(self.description.as_str()).chain(others)
    }
}
