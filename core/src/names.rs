//! Names that people choose, for themselves and for what they make: what may not stand in one.

/// Whether a character is none that a name is read by: controls, those that turn the direction of the text around
/// them (a name would rewrite the line that it stands in), and those that show nothing (two people would look alike,
/// or have no name at all). Joiners stay: emoji and several scripts are written with them.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            | '\u{ad}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{200b}' | '\u{2028}' | '\u{2029}'
            | '\u{2060}'..='\u{2064}' | '\u{206a}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::is_hidden;

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
}
