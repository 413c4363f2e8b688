//! What the mini app of a workflow takes and makes, and whether it works. The room of mini apps finds it out; lists are filtered by it here.

use crate::word_list::word_list;

word_list! {
    /// What somebody gives a mini app, beside its dials.
    pub enum Takes for "takes" {
        /// A picture of theirs.
        Image => "image",
        /// A film of theirs.
        Video => "video",
        /// A sound of theirs.
        Audio => "audio",
        /// Words that are drawn: what a model reads.
        Text => "text",
    }
}

word_list! {
    /// What a mini app gives back.
    pub enum Makes for "makes" {
        Image => "image",
        Video => "video",
        Audio => "audio",
        Text => "text",
        File => "file",
    }
}

/// What a mini app takes and makes, each once, and whether it works.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AppTraits {
    pub takes: Vec<Takes>,
    pub makes: Vec<Makes>,
    /// Whether some worker can run it as things are; `None` while that is not known.
    pub works: Option<bool>,
}

impl AppTraits {
    /// From the words of a row; what no release has written is left out.
    pub(super) fn of_row(takes: Option<Vec<String>>, makes: Option<Vec<String>>, works: Option<bool>) -> Self {
        Self {
            takes: takes.unwrap_or_default().iter().filter_map(|word| word.parse().ok()).collect(),
            makes: makes.unwrap_or_default().iter().filter_map(|word| word.parse().ok()).collect(),
            works,
        }
    }
}

/// Which mini apps a list shows; what is left open is not asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AppWanted {
    pub takes: Option<Takes>,
    pub makes: Option<Makes>,
    /// Those of which it is known that they work, or that they do not.
    pub works: Option<bool>,
}
