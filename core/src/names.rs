//! Rules for names and texts that users enter.

use std::ops::RangeInclusive;

use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{UnicodeNormalization as _, is_nfc};
use unicode_security::confusable_detection::skeleton;

use crate::{Error, Result};

/// The text in NFC, so that composed characters count as one.
#[must_use]
pub fn composed(text: &str) -> String {
    if is_nfc(text) { text.to_owned() } else { text.nfc().collect() }
}

/// The trimmed NFC text, if both its trimmed and its original length are in range. Blanks count, because clients count
/// what they send.
#[must_use]
pub fn trimmed(text: &str, characters: RangeInclusive<usize>) -> Option<String> {
    let text = composed(text);
    let kept = text.trim();
    let fits = text.chars().count() <= *characters.end() && characters.contains(&kept.chars().count());
    fits.then(|| kept.to_owned())
}

/// A search text, trimmed and in NFC.
///
/// # Errors
/// [`Error::Invalid`] for this field if it has more characters, including blanks, or a NUL.
pub fn search_text(field: &str, text: &str, max: usize) -> Result<String> {
    let words = trimmed(text, 0..=max).filter(|words| !words.contains('\0'));
    words.ok_or_else(|| Error::invalid(field, format!("must have at most {max} characters, and no NUL")))
}

/// Whether a character is not allowed in names: control characters, characters that change the text direction (they
/// would rearrange the line), and invisible characters (two names could look equal, or a name empty). Joiners are
/// allowed, because emoji and several scripts need them.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            | '\u{ad}' | '\u{34f}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{2065}' | '\u{2800}'
            | '\u{fff0}'..='\u{fff8}' | '\u{1d173}'..='\u{1d17a}' | '\u{115f}' | '\u{1160}' | '\u{200b}' | '\u{2028}' | '\u{2029}'
            | '\u{2060}'..='\u{2064}' | '\u{206a}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Whether a character changes the text direction or breaks the line, which is not allowed in any text. Direction marks
/// that scripts need are allowed.
#[must_use]
pub fn is_disruptive(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{206a}'..='\u{206f}'
            | '\u{2028}' | '\u{2029}' | '\u{fff9}'..='\u{fffb}')
}

/// The text without [`is_disruptive`] characters.
#[must_use]
pub fn without_disruptive(text: &str) -> String {
    text.chars().filter(|c| !is_disruptive(*c)).collect()
}

/// Whether a variation selector follows a character other than an emoji, where it only creates a second spelling.
#[must_use]
pub fn has_stray_selector(text: &str) -> bool {
    let mut before = None;
    text.chars().any(|c| {
        let after = before.replace(c);
        match c {
            '\u{fe0e}' | '\u{fe0f}' => !after.is_some_and(|after| {
                matches!(after, '#' | '*' | '0'..='9' | '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}'
                    | '\u{2122}' | '\u{2139}' | '\u{2190}'..='\u{2bff}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}'
                    | '\u{1f000}'..='\u{1faff}')
            }),
            '\u{fe00}'..='\u{fe0d}' | '\u{e0100}'..='\u{e01ef}' => true,
            _ => false,
        }
    })
}

/// Whether a character is visible by itself: no blank, hidden character, joiner or combining mark.
fn is_seen(c: char) -> bool {
    !(c.is_whitespace()
        || is_hidden(c)
        || matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
        || is_combining_mark(c))
}

/// Whether a text shows nothing.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    !text.chars().any(is_seen)
}

/// Whether a joiner joins nothing: at an end, beside a blank, or beside another joiner. The name looks the same without
/// it.
#[must_use]
pub fn has_stray_joiner(text: &str) -> bool {
    let letters: Vec<char> = text.chars().collect();
    let is_joiner = |c: char| matches!(c, '\u{200c}' | '\u{200d}');
    let stands = |c: Option<&char>| c.is_some_and(|c| !c.is_whitespace() && !is_joiner(*c));
    letters.iter().enumerate().any(|(at, c)| {
        let before = at.checked_sub(1).and_then(|before| letters.get(before));
        is_joiner(*c) && !(stands(before) && stands(letters.get(at + 1)) && !before.is_some_and(char::is_ascii))
    })
}

/// Whether two texts look alike at a glance: look-alikes of other scripts, enclosed letters, case, digits and symbols
/// used as letters, and all other characters are ignored.
#[must_use]
pub fn look_alike(one: &str, other: &str) -> bool {
    lookalike_key(one) == lookalike_key(other)
}

/// The key of a text for [`look_alike`].
#[must_use]
pub fn lookalike_key(text: &str) -> String {
    let plain: String = text.nfkc().map(unframed).collect();
    let plain: String = skeleton(&plain).flat_map(char::to_lowercase).collect();
    let plain = skeleton(&plain).filter_map(|c| match c {
        '@' => Some('a'),
        '$' => Some('s'),
        '!' | '|' => Some('l'),
        '€' => Some('e'),
        c => c.is_alphanumeric().then_some(c),
    });
    let plain: String = plain.flat_map(char::to_lowercase).collect();
    // Characters that UTS 39 does not unify: i, l, 1 and | above all.
    plain
        .chars()
        .map(|c| match c {
            'i' | '1' | 'ı' => 'l',
            '0' => 'o',
            '3' => 'e',
            '4' => 'a',
            '5' => 's',
            '7' => 't',
            c => c,
        })
        .collect()
}

/// The letter in a symbol that NFKC keeps: negative, flag, small capital.
fn unframed(c: char) -> char {
    const SMALL: [(char, char); 24] = [
        ('ᴀ', 'a'),
        ('ʙ', 'b'),
        ('ᴄ', 'c'),
        ('ᴅ', 'd'),
        ('ᴇ', 'e'),
        ('ꜰ', 'f'),
        ('ɢ', 'g'),
        ('ʜ', 'h'),
        ('ɪ', 'i'),
        ('ᴊ', 'j'),
        ('ᴋ', 'k'),
        ('ʟ', 'l'),
        ('ᴍ', 'm'),
        ('ɴ', 'n'),
        ('ᴏ', 'o'),
        ('ᴘ', 'p'),
        ('ʀ', 'r'),
        ('ꜱ', 's'),
        ('ᴛ', 't'),
        ('ᴜ', 'u'),
        ('ᴠ', 'v'),
        ('ᴡ', 'w'),
        ('ʏ', 'y'),
        ('ᴢ', 'z'),
    ];
    let of = |first: u32| char::from_u32(u32::from(c) - first + u32::from('a')).unwrap_or(c);
    match c {
        '\u{1f150}'..='\u{1f169}' => of(0x1f150),
        '\u{1f170}'..='\u{1f189}' => of(0x1f170),
        '\u{1f1e6}'..='\u{1f1ff}' => of(0x1f1e6),
        c => SMALL.iter().find(|(small, _)| *small == c).map_or(c, |(_, letter)| *letter),
    }
}

#[cfg(test)]
mod tests {
    use unicode_normalization::UnicodeNormalization as _;

    use super::{has_stray_selector, is_hidden, look_alike, trimmed, without_disruptive};

    #[test]
    fn blanks_count_although_they_are_trimmed() {
        assert_eq!(trimmed(" ab ", 2..=4).as_deref(), Some("ab"));
        assert_eq!(trimmed(" ab  ", 2..=4), None, "five characters were sent");
        assert_eq!(trimmed(" a ", 2..=4), None, "one character is kept");
        assert_eq!(trimmed("  ", 0..=2).as_deref(), Some(""));
        assert_eq!(trimmed("한한", 1..=2).as_deref(), Some("한한"));
    }

    #[test]
    fn composed_letter_counts_as_one() {
        let apart: String = "한글".repeat(20).nfd().collect();
        assert_eq!(trimmed(&apart, 1..=40), Some("한글".repeat(20)));
        assert_eq!(trimmed("Zoe\u{301}", 1..=3).as_deref(), Some("Zo\u{e9}"));
        assert_eq!(super::search_text("q", "Zoe\u{301}", 3).ok().as_deref(), Some("Zo\u{e9}"));
    }

    #[test]
    fn names_of_all_scripts_are_allowed_without_hidden_characters() {
        for name in ["Ann", "지우", "Zoë", "שירה", "نیلوفر\u{200c}ها", "👩\u{200d}🎨", "a\u{301}", "<b>", "O'Hara"]
        {
            assert!(!name.chars().any(is_hidden), "{name} is a name");
        }
        for name in ["\u{202e}nnA", "Ann\u{200b}", "\u{3164}\u{3164}", "\u{2067}x", "x\r\n", "\u{feff}x", "\u{2028}"] {
            assert!(name.chars().any(is_hidden), "{} is taken for a name", name.escape_unicode());
        }
    }

    #[test]
    fn enclosed_letters_look_like_plain_ones() {
        for admin in
            ["ⓐⓓⓜⓘⓝ", "🅐🅓🅜🅘🅝", "🅰🅳🅼🅸🅽", "🇦🇩🇲🇮🇳", "ᴀᴅᴍɪɴ", "ａｄｍｉｎ", "𝒶𝒹𝓂𝒾𝓃", "Ádmïn", "@dm!n", "аdmin", "a.d-m i_n"]
        {
            assert!(look_alike(admin, "Admin"), "{admin}");
        }
        for other in ["Adam", "Madmina", "관리", ""] {
            assert!(!look_alike(other, "Admin"), "{other}");
        }
    }

    #[test]
    fn variation_selectors_are_allowed_only_after_emoji() {
        for fine in ["❤\u{fe0f} Ann", "👩\u{200d}❤\u{fe0f}\u{200d}👩", "☀\u{fe0e}", "1\u{fe0f}\u{20e3}"] {
            assert!(!has_stray_selector(fine), "{fine}");
        }
        for stray in ["A\u{fe0f}nn", "Ann\u{fe00}", "Ann\u{e0101}", "한\u{fe0f}", "\u{fe0f}Ann"] {
            assert!(has_stray_selector(stray), "{}", stray.escape_unicode());
        }
    }

    #[test]
    fn only_disruptive_characters_are_removed() {
        assert_eq!(without_disruptive("a\u{202e}b\u{2066}c\u{7}\n\td\u{2028}"), "abc\n\td");
        for text in ["نیلوفر\u{200c}ها", "שלום\u{200f}!", "👩\u{200d}🎨 ❤\u{fe0f}", "a\u{ad}b"] {
            assert_eq!(without_disruptive(text), text);
        }
    }
}
