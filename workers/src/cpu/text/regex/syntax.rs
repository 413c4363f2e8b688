//! Elements of patterns: flags, characters, group names.

/// The flags of `re` that apply to text.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Flags {
    pub(super) ignore_case: bool,
    pub(super) multiline: bool,
    pub(super) dotall: bool,
    pub(super) verbose: bool,
    pub(super) ascii: bool,
}

impl Flags {
    /// Sets the flag of a letter. Returns `false` for an unknown one.
    pub(super) fn set(&mut self, letter: char, on: bool) -> bool {
        match letter {
            'i' => self.ignore_case = on,
            'm' => self.multiline = on,
            's' => self.dotall = on,
            'x' => self.verbose = on,
            'a' => self.ascii = on,
            'u' => self.ascii = !on,
            _ => return false,
        }
        true
    }
}

/// A character in the engine's syntax.
pub(super) fn literal(c: char) -> String {
    if c.is_ascii_alphanumeric() || !c.is_ascii() { c.to_string() } else { format!("\\x{{{:x}}}", u32::from(c)) }
}

/// Whether Python accepts this as a group name.
pub(super) fn is_name(name: &str) -> bool {
    name.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}
