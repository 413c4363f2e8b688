//! Languages of pages and mails, and texts in several languages.

use serde::{Deserialize, Serialize};

/// A supported language.
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

    /// The language of a tag; English for an unknown one.
    #[must_use]
    pub fn from_tag(tag: &str) -> Self {
        if tag == "ko" { Self::Ko } else { Self::En }
    }
}

/// A number with separators between thousands, as all these languages write it: `12,500`.
#[must_use]
pub fn grouped(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let first = digits.len() % 3;
    let mut text = if number < 0 { "-".to_owned() } else { String::new() };
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && place % 3 == first {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Translations of something into other languages than its original, which is not recorded. Readers of a language
/// without translation get the original.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByLanguage<T> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub en: Option<T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ko: Option<T>,
}

impl<T> Default for ByLanguage<T> {
    fn default() -> Self {
        Self { en: None, ko: None }
    }
}

impl<T> ByLanguage<T> {
    pub fn get(&self, language: Language) -> Option<&T> {
        match language {
            Language::En => self.en.as_ref(),
            Language::Ko => self.ko.as_ref(),
        }
    }

    /// All translations.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.en.iter().chain(&self.ko)
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values().next().is_none()
    }

    /// Maps each translation; `None` drops it.
    pub fn try_map<U, E>(
        &self,
        mut change: impl FnMut(Language, &T) -> Result<Option<U>, E>,
    ) -> Result<ByLanguage<U>, E> {
        let mut of = |language: Language, one: &Option<T>| match one {
            Some(one) => change(language, one),
            None => Ok(None),
        };
        Ok(ByLanguage { en: of(Language::En, &self.en)?, ko: of(Language::Ko, &self.ko)? })
    }

    /// Like [`ByLanguage::try_map`], without errors.
    #[must_use]
    pub fn map<U>(&self, mut change: impl FnMut(&T) -> Option<U>) -> ByLanguage<U> {
        ByLanguage { en: self.en.as_ref().and_then(&mut change), ko: self.ko.as_ref().and_then(&mut change) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        let all = [0, 7, 999, 1000, 12_500, 123_456, 1_000_000, -999, -1000, i64::MIN].map(grouped);
        let written = ["0", "7", "999", "1,000", "12,500", "123,456", "1,000,000", "-999", "-1,000"];
        assert_eq!(all[..9], written);
        assert_eq!(all[9], "-9,223,372,036,854,775,808");
    }

    #[test]
    fn unknown_language_is_refused_and_a_missing_one_is_omitted() {
        let read = |text: &str| serde_json::from_str::<ByLanguage<String>>(text);
        let found = read(r#"{"ko": "비단", "en": null}"#).expect("both are known");
        assert_eq!((found.get(Language::Ko).map(String::as_str), found.get(Language::En)), (Some("비단"), None));
        assert_eq!(serde_json::to_string(&found).expect("JSON"), r#"{"ko":"비단"}"#);
        assert!(read(r#"{"fr": "Soie"}"#).is_err(), "French is no language of the pages");
        assert!(read("{}").expect("nothing").is_empty());
    }
}
