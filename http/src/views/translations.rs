//! Texts in other languages than the original. Pages choose by their own language.

use serde::{Deserialize, Serialize};
use verdigraph_core::language::ByLanguage;
use verdigraph_core::workflows::{Translation, Translations};

use crate::openapi::ToSchema;

/// A text in other languages. Pages show the original if theirs is missing.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ByLanguageView<T> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub en: Option<T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ko: Option<T>,
}

/// Name and description in one language; for missing ones the original is shown.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TranslationView {
    /// 1 to 100 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 100)]
    pub name: Option<String>,
    /// HTML; it is sanitized.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 65_536)]
    pub description: Option<String>,
}

impl<T> ByLanguageView<T> {
    /// `None` if there is no other language.
    pub fn of<U>(all: &ByLanguage<U>, view: impl FnMut(&U) -> Option<T>) -> Option<Self> {
        let ByLanguage { en, ko } = all.map(view);
        (en.is_some() || ko.is_some()).then_some(Self { en, ko })
    }
}

impl ByLanguageView<TranslationView> {
    /// A workflow's words.
    #[must_use]
    pub fn of_workflow(translations: &Translations) -> Option<Self> {
        Self::of(translations, |words| {
            Some(TranslationView { name: words.name.clone(), description: words.description.clone() })
        })
    }

    /// Only the names.
    #[must_use]
    pub fn names(self) -> Option<Self> {
        let named = |words: Option<TranslationView>| {
            words.filter(|words| words.name.is_some()).map(|words| TranslationView { description: None, ..words })
        };
        let (en, ko) = (named(self.en), named(self.ko));
        (en.is_some() || ko.is_some()).then_some(Self { en, ko })
    }
}

impl From<ByLanguageView<TranslationView>> for Translations {
    fn from(sent: ByLanguageView<TranslationView>) -> Self {
        let words = |TranslationView { name, description }| Translation { name, description };
        Self { en: sent.en.map(words), ko: sent.ko.map(words) }
    }
}
