//! How codes are written, compared and made.

use rand::seq::IndexedRandom as _;

/// Letters of a code. A code has at least [`MIN_LETTERS`] of them, without hyphens.
const MIN_LETTERS: usize = 4;
const MAX_CHARS: usize = 40;
/// 32 characters that are not mistaken for each other: no I, L, O and U.
const ALPHABET: &[u8] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// Characters of a group of a random code, and groups: 60 random bits.
const GROUP: usize = 4;
const GROUPS: usize = 3;

/// The form in which codes are compared: upper case, without blanks and hyphens. `None` for a text that is no code.
pub(super) fn key(text: &str) -> Option<String> {
    let kept = text.chars().filter(|c| !c.is_whitespace() && !is_hyphen(*c));
    let key: String = kept.map(|c| c.to_ascii_uppercase()).take(MAX_CHARS + 1).collect();
    let is_code = (MIN_LETTERS..=MAX_CHARS).contains(&key.len()) && key.chars().all(|c| c.is_ascii_alphanumeric());
    is_code.then_some(key)
}

/// A shared code as it is shown: in upper case. `None` for one with other characters or another length.
pub(super) fn shared(text: &str) -> Option<String> {
    let code = text.trim().to_ascii_uppercase();
    let is_plain = code.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    (is_plain && code.len() <= MAX_CHARS && key(&code).is_some()).then_some(code)
}

/// A new random code: `XXXX-XXXX-XXXX`.
pub(super) fn random() -> String {
    // The generator of this thread is cryptographic.
    let mut random = rand::rng();
    let mut group = || (0..GROUP).filter_map(|_| ALPHABET.choose(&mut random)).map(|c| char::from(*c)).collect();
    let groups: Vec<String> = (0..GROUPS).map(|_| group()).collect();
    groups.join("-")
}

/// Hyphens, also those that texts are typeset with.
fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn codes_are_compared_without_case_spaces_and_hyphens() {
        for text in ["WELCOME-2026", "welcome2026", " Wel come\u{a0}20-26\n", "WELCOME\u{2013}2026"] {
            assert_eq!(key(text).as_deref(), Some("WELCOME2026"), "{text:?}");
        }
        for text in ["", "abc", "a-b-c", "WELCOME_2026", "환영합니다", "ABCD\0", &"A".repeat(41)] {
            assert_eq!(key(text), None, "{text:?}");
        }
    }

    #[test]
    fn shared_codes_have_4_to_40_letters_digits_and_hyphens() {
        for (text, code) in [(" welcome-2026 ", "WELCOME-2026"), ("ABCD", "ABCD"), ("-A-B-C-D-", "-A-B-C-D-")] {
            assert_eq!(shared(text).as_deref(), Some(code));
        }
        let long = "A".repeat(40);
        assert_eq!(shared(&long), Some(long.clone()));
        for text in ["", "ABC", "A-B-C", "AB CD", "ABCD!", "WÄLCOME", &format!("{long}-"), &format!("{long}A")] {
            assert_eq!(shared(text), None, "{text:?}");
        }
    }

    #[test]
    fn random_codes_have_three_groups_of_the_alphabet() {
        let codes: HashSet<String> = (0..1000).map(|_| random()).collect();
        assert_eq!(codes.len(), 1000, "a code was made twice");
        for code in &codes {
            let groups: Vec<&str> = code.split('-').collect();
            assert_eq!(groups.iter().map(|group| group.len()).collect::<Vec<_>>(), [4, 4, 4], "{code}");
            assert!(code.bytes().all(|c| c == b'-' || ALPHABET.contains(&c)), "{code}");
            assert_eq!(key(code), Some(groups.concat()));
        }
    }
}
