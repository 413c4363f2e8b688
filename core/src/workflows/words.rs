//! The search words of a workflow.
//!
//! PostgreSQL's text search is not used to split texts, because it has no dictionary for Korean and its extensions are
//! not on every server. A word in letters with cases, or digits, is stored as it is and found by its beginning. Korean,
//! Chinese and Japanese do not separate all words, so each pair of neighbours is stored: `사진관` is found by `사진` and by
//! `진관`.

use std::collections::BTreeSet;

use crate::{html, names};

/// Words of one text; later ones are dropped.
const MAX_WORDS: usize = 2000;
/// Characters of a word; later ones are dropped.
const MAX_CHARS: usize = 40;
/// Words of a search; later ones are dropped.
const MAX_ASKED: usize = 10;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchWords {
    /// Words of the name alone. Matches of these rank first.
    pub name: Vec<String>,
    /// Words of all texts, including the name.
    pub all: Vec<String>,
}

impl SearchWords {
    /// The words of names, of descriptions in HTML, in any languages, and of the names of tags.
    pub fn of<'a>(
        names: impl IntoIterator<Item = &'a str>,
        descriptions: impl IntoIterator<Item = &'a str>,
        tags: &[String],
    ) -> Self {
        let name_words: BTreeSet<String> = names.into_iter().flat_map(words).collect();
        let mut all = name_words.clone();
        all.extend(descriptions.into_iter().flat_map(|description| words(&html::text(description))));
        for tag in tags {
            all.extend(words(tag));
        }
        let list = |words: BTreeSet<String>| words.into_iter().take(MAX_WORDS).collect();
        Self { name: list(name_words), all: list(all) }
    }
}

/// A search as a `tsquery` of all its words, or `None` without words.
pub(super) fn question(text: &str) -> Option<String> {
    let mut asked: Vec<String> = Vec::new();
    for run in runs(text).into_iter().take(MAX_ASKED) {
        match run {
            Run::Letters(word) => asked.push(format!("'{word}':*")),
            Run::Dense(chars) if chars.len() == 1 => asked.extend(chars.iter().map(|only| format!("'{only}':*"))),
            Run::Dense(chars) => asked.extend(pairs(&chars).into_iter().map(|pair| format!("'{pair}'"))),
        }
    }
    (!asked.is_empty()).then(|| asked.join(" & "))
}

enum Run {
    Letters(String),
    Dense(Vec<char>),
}

fn words(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for run in runs(text) {
        match run {
            Run::Letters(word) => drop(found.insert(word)),
            Run::Dense(chars) => {
                found.extend(pairs(&chars));
                // The last character begins no pair, but users search for it alone too.
                found.extend(chars.last().map(char::to_string));
            }
        }
        if found.len() >= MAX_WORDS {
            break;
        }
    }
    found
}

fn pairs(chars: &[char]) -> Vec<String> {
    chars.windows(2).map(|pair| pair.iter().collect()).collect()
}

/// Splits a text at the end of a word or of a script.
fn runs(text: &str) -> Vec<Run> {
    let mut found = Vec::new();
    let (mut letters, mut dense) = (String::new(), Vec::new());
    for c in names::composed(text).chars().flat_map(char::to_lowercase).chain([' ']) {
        if !is_dense(c) && !dense.is_empty() {
            found.push(Run::Dense(std::mem::take(&mut dense)));
        }
        if (is_dense(c) || !c.is_alphanumeric()) && !letters.is_empty() {
            found.push(Run::Letters(std::mem::take(&mut letters)));
        }
        if is_dense(c) {
            dense.push(c);
        } else if c.is_alphanumeric() && letters.chars().count() < MAX_CHARS {
            letters.push(c);
        }
    }
    found
}

/// Hangul, kana and Chinese characters.
fn is_dense(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}')
}

#[cfg(test)]
mod tests {
    use unicode_normalization::UnicodeNormalization as _;

    use super::*;

    #[test]
    fn words_of_all_texts_are_indexed_without_markup() {
        let words =
            SearchWords::of(["Misty Mountains"], ["<p>Fog &amp; pine</p><p>at <b>dawn</b></p>"], &["풍경".to_owned()]);
        assert_eq!(words.name, ["misty", "mountains"]);
        for word in ["misty", "fog", "pine", "at", "dawn", "풍경"] {
            assert!(words.all.iter().any(|known| known == word), "{word} is missing in {:?}", words.all);
        }
        assert!(!words.all.iter().any(|word| ["p", "b", "amp"].contains(&word.as_str())), "{:?}", words.all);
    }

    #[test]
    fn korean_is_indexed_by_pairs() {
        let words = SearchWords::of(["인물사진관 3D"], [], &[]);
        for pair in ["인물", "물사", "사진", "진관", "관", "3d"] {
            assert!(words.all.iter().any(|word| word == pair), "{pair} is missing in {:?}", words.all);
        }
        assert_eq!(question("사진관"), Some("'사진' & '진관'".to_owned()));
        assert_eq!(question("관"), Some("'관':*".to_owned()));
    }

    #[test]
    fn decomposed_letters_are_the_same_words() {
        let apart = |text: &str| text.nfd().collect::<String>();
        let words = |name: &str| SearchWords::of([name], ["<p>Zoë</p>"], &["풍경".to_owned()]);
        assert_eq!(words(&apart("인물 Café")), words("인물 Café"));
        assert_eq!(question(&apart("사진관 Café")), question("사진관 Café"));
    }

    #[test]
    fn query_has_no_operators_from_the_text() {
        assert_eq!(question("Port' | !x:* \\ (cat)"), Some("'port':* & 'x':* & 'cat':*".to_owned()));
        assert_eq!(question(" '&|! "), None);
        let long = "a".repeat(500);
        assert!(question(&format!("{long} {}", "b ".repeat(50))).is_some_and(|text| text.len() < 200));
    }
}
