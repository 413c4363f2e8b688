//! White space of JSON texts. Values are not changed.

/// A JSON text without white space between values.
#[must_use]
pub fn compacted(text: &str) -> String {
    let mut short = String::with_capacity(text.len());
    let (mut in_string, mut escaped) = (false, false);
    for letter in text.chars() {
        if in_string {
            (in_string, escaped) = (escaped || letter != '"', !escaped && letter == '\\');
        } else if letter.is_ascii_whitespace() {
            continue;
        } else {
            in_string = letter == '"';
        }
        short.push(letter);
    }
    short
}

/// A JSON text with one line per value, for editors.
#[must_use]
pub fn indented(text: &str) -> String {
    let text = compacted(text);
    let mut lines = String::with_capacity(text.len() * 2);
    let (mut depth, mut in_string, mut escaped) = (0, false, false);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if in_string {
            (in_string, escaped) = (escaped || letter != '"', !escaped && letter == '\\');
            lines.push(letter);
            continue;
        }
        in_string = letter == '"';
        if matches!(letter, '}' | ']') {
            depth -= 1;
            end_line(&mut lines, depth);
        }
        lines.push(letter);
        match letter {
            '{' | '[' => match letters.next_if(|next| matches!(next, '}' | ']')) {
                Some(end) => lines.push(end),
                None => {
                    depth += 1;
                    end_line(&mut lines, depth);
                }
            },
            ',' => end_line(&mut lines, depth),
            ':' => lines.push(' '),
            _ => {}
        }
    }
    lines
}

fn end_line(lines: &mut String, depth: usize) {
    lines.push('\n');
    lines.extend(std::iter::repeat_n("  ", depth));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indenting_and_compacting_round_trips() {
        let text = r#"{"a":[],"b":{"c":[1.50,"x, {\"y\": [1]}"],"d":{}},"e":-0.0}"#;
        let lines = indented(text);
        assert_eq!(compacted(&lines), text);
        assert!(lines.starts_with("{\n  \"a\": [],\n  \"b\": {\n    \"c\": [\n      1.50,"), "{lines}");
    }
}
