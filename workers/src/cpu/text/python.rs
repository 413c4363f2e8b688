//! Python's text operations where Rust's differ, and its way to print values.

use serde_json::Value as Json;

/// Whether `str.isspace` holds; four ASCII separators more than Unicode's `White_Space`.
pub(super) fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// `str.strip`, `str.lstrip` and `str.rstrip` without arguments.
pub(super) fn strip(text: &str, left: bool, right: bool) -> &str {
    let text = if left { text.trim_start_matches(is_space) } else { text };
    if right { text.trim_end_matches(is_space) } else { text }
}

/// `text[start:end]`, counted in code points; negative numbers count from the end.
pub(super) fn slice(text: &str, start: i128, end: i128) -> String {
    let len = i128::try_from(text.chars().count()).unwrap_or(i128::MAX);
    let place = |at: i128| usize::try_from(if at < 0 { (len + at).max(0) } else { at.min(len) }).unwrap_or(0);
    let (start, end) = (place(start), place(end));
    text.chars().skip(start).take(end.saturating_sub(start)).collect()
}

/// `str.capitalize`: the first letter in title case, the rest small.
pub(super) fn capitalize(text: &str) -> String {
    let Some(first) = text.chars().next() else { return String::new() };
    let small = text.to_lowercase();
    let mut out = title_letter(first);
    out.extend(small.chars().skip(first.to_lowercase().count()));
    out
}

/// `str.title`: every letter that follows a non-letter in title case, all others small.
pub(super) fn title(text: &str) -> String {
    // The whole text is made small first, so that a final sigma is seen in its surroundings.
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

/// A letter in title case. It differs from the capital for digraphs, ligatures, Georgian and Greek with iota.
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

/// `repr(float)`: the shortest digits that read back as the same number, with an exponent where Python has one.
pub(super) fn repr_float(number: f64) -> String {
    if number.is_nan() {
        return "nan".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let text = format!("{number:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        let plain = format!("{number}");
        return if plain.contains('.') { plain } else { plain + ".0" };
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

/// `json.dumps` with its default settings: `", "` and `": "`, everything outside ASCII escaped.
pub(super) fn dumps(value: &Json) -> String {
    let mut out = String::new();
    write_json(value, &mut out);
    out
}

fn write_json(value: &Json, out: &mut String) {
    match value {
        Json::Null => out.push_str("null"),
        Json::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Json::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() => out.push_str(&repr_float(float)),
            _ => out.push_str(&number.to_string()),
        },
        Json::String(text) => write_string(text, out),
        Json::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { ", " });
                write_json(item, out);
            }
            out.push(']');
        }
        Json::Object(entries) => {
            out.push('{');
            for (index, (key, item)) in entries.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { ", " });
                write_string(key, out);
                out.push_str(": ");
                write_json(item, out);
            }
            out.push('}');
        }
    }
}

fn write_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            ' '..='~' => out.push(c),
            _ => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
    out.push('"');
}
