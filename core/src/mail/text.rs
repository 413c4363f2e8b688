//! The parts of a mail's text.

/// The text of a mail, before rendering.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MailText {
    pub subject: String,
    pub greeting: String,
    pub lines: Vec<String>,
    /// A code to type in, shown large.
    pub code: Option<String>,
    /// List of notifications.
    pub items: Vec<ListItem>,
    /// Label and URL of the button.
    pub button: Option<(String, String)>,
    /// Small print.
    pub notes: Vec<String>,
    /// Labels and URLs of links in the small print.
    pub links: Vec<(String, String)>,
    /// URL for one-click unsubscribe (RFC 8058).
    pub unsubscribe: Option<String>,
}

/// A list item and its link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ListItem {
    pub text: String,
    /// The beginning of a comment or notice.
    pub quote: Option<String>,
    pub url: String,
}

impl MailText {
    /// A mail without a list.
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
