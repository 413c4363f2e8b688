//! The words of a letter, in their places.

/// A letter in words, before it has a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Words {
    pub subject: String,
    pub greeting: String,
    pub lines: Vec<String>,
    /// A code to type in, shown large.
    pub code: Option<String>,
    /// Things that the letter tells of, one below the other.
    pub items: Vec<Item>,
    /// What the button says, and where it leads.
    pub button: Option<(String, String)>,
    /// Small print.
    pub notes: Vec<String>,
    /// Links in the small print: what they say, and where they lead.
    pub links: Vec<(String, String)>,
    /// Where a mail program may say that no more such letters are wanted (RFC 8058).
    pub unsubscribe: Option<String>,
}

/// One thing that a letter tells of, and where it is to be seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    pub text: String,
    /// What somebody wrote.
    pub quote: Option<String>,
    pub url: String,
}

impl Words {
    /// A letter without a list.
    pub fn plain(subject: &str, greeting: String, lines: Vec<String>) -> Self {
        Self {
            subject: subject.to_owned(),
            greeting,
            lines,
            code: None,
            items: Vec::new(),
            button: None,
            notes: Vec::new(),
            links: Vec::new(),
            unsubscribe: None,
        }
    }
}
