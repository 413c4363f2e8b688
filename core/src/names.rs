//! Names that people choose, for themselves and for what they make: what may not stand in one.

use std::ops::RangeInclusive;

use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{UnicodeNormalization as _, is_nfc};
use unicode_security::confusable_detection::skeleton;

use crate::{Error, Result};

/// A text with one spelling for what looks the same (NFC): a letter counts as one, however a keyboard composes it.
#[must_use]
pub fn composed(text: &str) -> String {
    if is_nfc(text) { text.to_owned() } else { text.nfc().collect() }
}

/// A text without the blanks around it, composed, where it has this many characters with them and without them. The blanks
/// count as well: whoever reads the limits in the API's description counts what is sent.
#[must_use]
pub fn trimmed(text: &str, characters: RangeInclusive<usize>) -> Option<String> {
    let text = composed(text);
    let kept = text.trim();
    let fits = text.chars().count() <= *characters.end() && characters.contains(&kept.chars().count());
    fits.then(|| kept.to_owned())
}

/// What is looked for, composed and without the blanks around it.
///
/// # Errors
/// [`Error::Invalid`] at this field for more characters than this, the blanks among them, and for a NUL.
pub fn words(field: &str, text: &str, max: usize) -> Result<String> {
    let words = trimmed(text, 0..=max).filter(|words| !words.contains('\0'));
    words.ok_or_else(|| Error::invalid(field, format!("must have at most {max} characters, and no NUL")))
}

/// Whether a character is none that a name is read by: controls, those that turn the direction of the text around
/// them (a name would rewrite the line that it stands in), and those that show nothing (two people would look alike,
/// or have no name at all). Joiners stay: emoji and several scripts are written with them.
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

/// Whether a character turns the direction of the text around it, or breaks the line that it stands in, also of texts that
/// are not names: what is read would not be what is written. Marks of direction that scripts need stay.
#[must_use]
pub fn is_disruptive(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{206a}'..='\u{206f}'
            | '\u{2028}' | '\u{2029}' | '\u{fff9}'..='\u{fffb}')
}

/// A text without what [`is_disruptive`].
#[must_use]
pub fn undisturbed(text: &str) -> String {
    text.chars().filter(|c| !is_disruptive(*c)).collect()
}

/// Whether a variation selector stands where it selects nothing but a second spelling of the same name: behind anything but
/// an emoji or another sign that is drawn as one.
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

/// Whether a character shows something by itself: no blank, nothing hidden, no joiner, and none that only changes or
/// marks the one before it.
fn is_seen(c: char) -> bool {
    !(c.is_whitespace()
        || is_hidden(c)
        || matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
        || is_combining_mark(c))
}

/// Whether a text shows a reader nothing.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    !text.chars().any(is_seen)
}

/// Whether a joiner joins nothing: at an end, beside a blank, or beside another one. Such a name looks like the same name
/// without it.
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

/// Whether two texts look the same to a reader who skims them: letters of other scripts that are drawn alike, letters in
/// circles and squares, upper and lower case, digits and signs for letters, and all that is neither letter nor digit make no
/// difference.
#[must_use]
pub fn look_alike(one: &str, other: &str) -> bool {
    skimmed(one) == skimmed(other)
}

/// The letters that a reader sees who skims a text; see [`look_alike`].
#[must_use]
pub fn skimmed(text: &str) -> String {
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
    // What UTS 39 draws as one letter is written in different ways: i, l, 1 and | above all.
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

/// The letter in a sign that NFKC leaves as it is: white on black, as a flag, as a small capital.
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

    use super::{has_stray_selector, is_hidden, look_alike, trimmed, undisturbed};

    #[test]
    fn blanks_around_a_text_count_although_they_are_not_kept() {
        assert_eq!(trimmed(" ab ", 2..=4).as_deref(), Some("ab"));
        assert_eq!(trimmed(" ab  ", 2..=4), None, "five characters were sent");
        assert_eq!(trimmed(" a ", 2..=4), None, "one character is kept");
        assert_eq!(trimmed("  ", 0..=2).as_deref(), Some(""));
        assert_eq!(trimmed("한한", 1..=2).as_deref(), Some("한한"));
    }

    #[test]
    fn a_letter_has_one_spelling_and_counts_as_one() {
        let apart: String = "한글".repeat(20).nfd().collect();
        assert_eq!(trimmed(&apart, 1..=40), Some("한글".repeat(20)));
        assert_eq!(trimmed("Zoe\u{301}", 1..=3).as_deref(), Some("Zo\u{e9}"));
        assert_eq!(super::words("q", "Zoe\u{301}", 3).ok().as_deref(), Some("Zo\u{e9}"));
    }

    #[test]
    fn names_of_all_scripts_stay_and_what_turns_or_hides_text_does_not() {
        for name in ["Ann", "지우", "Zoë", "שירה", "نیلوفر\u{200c}ها", "👩\u{200d}🎨", "a\u{301}", "<b>", "O'Hara"]
        {
            assert!(!name.chars().any(is_hidden), "{name} is a name");
        }
        for name in ["\u{202e}nnA", "Ann\u{200b}", "\u{3164}\u{3164}", "\u{2067}x", "x\r\n", "\u{feff}x", "\u{2028}"] {
            assert!(name.chars().any(is_hidden), "{} is taken for a name", name.escape_unicode());
        }
    }

    #[test]
    fn letters_in_any_frame_look_like_themselves() {
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
    fn selectors_belong_behind_emoji_and_nowhere_else() {
        for fine in ["❤\u{fe0f} Ann", "👩\u{200d}❤\u{fe0f}\u{200d}👩", "☀\u{fe0e}", "1\u{fe0f}\u{20e3}"] {
            assert!(!has_stray_selector(fine), "{fine}");
        }
        for stray in ["A\u{fe0f}nn", "Ann\u{fe00}", "Ann\u{e0101}", "한\u{fe0f}", "\u{fe0f}Ann"] {
            assert!(has_stray_selector(stray), "{}", stray.escape_unicode());
        }
    }

    #[test]
    fn texts_lose_what_turns_them_and_nothing_else() {
        assert_eq!(undisturbed("a\u{202e}b\u{2066}c\u{7}\n\td\u{2028}"), "abc\n\td");
        for text in ["نیلوفر\u{200c}ها", "שלום\u{200f}!", "👩\u{200d}🎨 ❤\u{fe0f}", "a\u{ad}b"] {
            assert_eq!(undisturbed(text), text);
        }
    }
}
