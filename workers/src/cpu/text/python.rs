//! Python's text operations that differ from Rust's.

use verdigraph_core::graph::python;

/// `str.strip`, `str.lstrip` and `str.rstrip` without arguments.
pub(super) fn strip(text: &str, left: bool, right: bool) -> &str {
    let text = if left { text.trim_start_matches(python::is_space) } else { text };
    if right { text.trim_end_matches(python::is_space) } else { text }
}

/// `text[start:end]` in code points. Negative numbers count from the end.
pub(super) fn slice(text: &str, start: i128, end: i128) -> String {
    let len = i128::try_from(text.chars().count()).unwrap_or(i128::MAX);
    let place = |at: i128| usize::try_from(if at < 0 { (len + at).max(0) } else { at.min(len) }).unwrap_or(0);
    let (start, end) = (place(start), place(end));
    text.chars().skip(start).take(end.saturating_sub(start)).collect()
}

/// `str.capitalize`: first letter in title case, others in lower case.
pub(super) fn capitalize(text: &str) -> String {
    let Some(first) = text.chars().next() else { return String::new() };
    let small = text.to_lowercase();
    let mut out = title_letter(first);
    out.extend(small.chars().skip(first.to_lowercase().count()));
    out
}

/// `str.title`: each letter after a non-letter in title case, others in lower case.
pub(super) fn title(text: &str) -> String {
    // The whole text is lowered first, so that a final sigma has its context.
    let small = text.to_lowercase();
    let mut small = small.chars();
    let mut out = String::with_capacity(text.len());
    let mut after_letter = false;
    for c in text.chars() {
        let own: String = small.by_ref().take(c.to_lowercase().count()).collect();
        if after_letter {
            out.push_str(&own);
        } else {
            out.push_str(&title_letter(c));
        }
        after_letter = is_cased(c);
    }
    out
}

fn is_cased(c: char) -> bool {
    c.is_lowercase()
        || c.is_uppercase()
        || matches!(c, 'ǅ' | 'ǈ' | 'ǋ' | 'ǲ' | '\u{1f88}'..='\u{1f8f}' | '\u{1f98}'..='\u{1f9f}' | '\u{1fa8}'..='\u{1faf}' | 'ᾼ' | 'ῌ' | 'ῼ')
}

/// A letter in title case. Differs from upper case for digraphs, ligatures, Georgian and Greek with iota.
fn title_letter(c: char) -> String {
    let text = match c {
        'ß' => "Ss",
        'Ǆ'..='ǆ' => "ǅ",
        'Ǉ'..='ǉ' => "ǈ",
        'Ǌ'..='ǌ' => "ǋ",
        'Ǳ'..='ǳ' => "ǲ",
        'և' => "Եւ",
        '\u{10d0}'..='\u{10fa}' | '\u{10fd}'..='\u{10ff}' => return c.to_string(),
        '\u{1f80}'..='\u{1faf}' => return char::from_u32(u32::from(c) | 8).unwrap_or(c).to_string(),
        '\u{1fb2}' => "\u{1fba}\u{345}",
        'ᾳ' | 'ᾼ' => "ᾼ",
        '\u{1fb4}' => "\u{386}\u{345}",
        '\u{1fb7}' => "\u{1fbc}\u{342}",
        '\u{1fc2}' => "\u{1fca}\u{345}",
        'ῃ' | 'ῌ' => "ῌ",
        '\u{1fc4}' => "\u{389}\u{345}",
        '\u{1fc7}' => "\u{1fcc}\u{342}",
        '\u{1ff2}' => "\u{1ffa}\u{345}",
        'ῳ' | 'ῼ' => "ῼ",
        '\u{1ff4}' => "\u{38f}\u{345}",
        '\u{1ff7}' => "\u{1ffc}\u{342}",
        'ﬀ' => "Ff",
        'ﬁ' => "Fi",
        'ﬂ' => "Fl",
        'ﬃ' => "Ffi",
        'ﬄ' => "Ffl",
        'ﬅ' | 'ﬆ' => "St",
        'ﬓ' => "Մն",
        'ﬔ' => "Մե",
        'ﬕ' => "Մի",
        'ﬖ' => "Վն",
        'ﬗ' => "Մխ",
        _ => return c.to_uppercase().collect(),
    };
    text.to_owned()
}
