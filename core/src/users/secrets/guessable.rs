//! Detection of commonly guessed passwords.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Common passwords of 8 characters and more, in lower case, from leaked lists; taken from zxcvbn (MIT).
static COMMON: LazyLock<HashSet<&str>> = LazyLock::new(|| include_str!("common_passwords.txt").lines().collect());

/// Whether a password is guessed early: a common one, possibly followed by digits or signs, a short repetition, or a
/// sequence of the keyboard or the alphabet.
pub(in crate::users) fn is_guessable(password: &str) -> bool {
    let lower = password.trim().to_lowercase();
    let stem = lower.trim_end_matches(|c: char| !c.is_alphabetic());
    COMMON.contains(lower.as_str()) || COMMON.contains(stem) || repeats(&lower) || runs(&lower)
}

/// A repeated unit of one to four characters.
fn repeats(text: &str) -> bool {
    let letters: Vec<char> = text.chars().collect();
    (1..=4).any(|unit| letters.iter().zip(letters.iter().skip(unit)).all(|(one, other)| one == other))
}

/// An ascending or descending sequence without gaps: `abcdefgh`, `87654321`.
fn runs(text: &str) -> bool {
    let steps: HashSet<i64> = text
        .chars()
        .zip(text.chars().skip(1))
        .map(|(one, next)| i64::from(u32::from(next)) - i64::from(u32::from(one)))
        .collect();
    steps == HashSet::from([1]) || steps == HashSet::from([-1])
}

#[cfg(test)]
mod tests {
    use super::is_guessable;

    #[test]
    fn common_passwords_are_guessable() {
        for known in [
            "password",
            "Password",
            "password1!",
            "12345678",
            "qwertyuiop",
            "abababab",
            "aaaaaaaaaa",
            "hgfedcba",
            " iloveyou ",
        ] {
            assert!(is_guessable(known), "{known}");
        }
        for own in ["correct horse", "battery staple", "long enough", "x7Qpassword", "가나다라마바사아자", "48213957"]
        {
            assert!(!is_guessable(own), "{own}");
        }
    }
}
