//! Passwords that are tried before all others.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Common passwords of 8 characters and more, in lower case, out of lists that leaked; taken from zxcvbn (MIT).
static COMMON: LazyLock<HashSet<&str>> = LazyLock::new(|| include_str!("common_passwords.txt").lines().collect());

/// Whether whoever guesses has this password at once: a common one, also with some digits or signs behind it, the same
/// few characters again and again, or a piece of the keyboard's or the alphabet's order.
pub(in crate::users) fn is_guessable(password: &str) -> bool {
    let lower = password.trim().to_lowercase();
    let stem = lower.trim_end_matches(|c: char| !c.is_alphabetic());
    COMMON.contains(lower.as_str()) || COMMON.contains(stem) || repeats(&lower) || runs(&lower)
}

/// One to four characters again and again.
fn repeats(text: &str) -> bool {
    let letters: Vec<char> = text.chars().collect();
    (1..=4).any(|unit| letters.iter().zip(letters.iter().skip(unit)).all(|(one, other)| one == other))
}

/// Up or down one order without a gap: `abcdefgh`, `87654321`.
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
    fn what_everybody_tries_first_is_no_password() {
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
