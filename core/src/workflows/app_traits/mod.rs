//! What the mini app of a workflow takes and makes, and whether it works. The room of mini apps writes these; lists
//! filter by them here.

pub(in crate::workflows) mod kind;

use self::kind::WorkflowKind;
use crate::word_list::word_list;

word_list! {
    /// An input of a mini app beside its settings.
    pub enum Takes for "takes" {
        /// A picture.
        Image => "image",
        /// A video.
        Video => "video",
        /// A sound.
        Audio => "audio",
        /// A text file.
        TextFile => "textfile",
        /// A prompt: text that a model reads.
        Text => "text",
    }
}

word_list! {
    /// An output of a mini app.
    pub enum Makes for "makes" {
        Image => "image",
        Video => "video",
        Audio => "audio",
        Text => "text",
        File => "file",
    }
}

/// Inputs and outputs of a mini app, each once, and whether it works.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AppTraits {
    pub takes: Vec<Takes>,
    pub makes: Vec<Makes>,
    /// Whether a worker can run it now; `None` while unknown.
    pub works: Option<bool>,
}

impl AppTraits {
    /// From the words of a row, without unknown ones.
    pub(in crate::workflows) fn of_row(
        takes: Option<Vec<String>>,
        makes: Option<Vec<String>>,
        works: Option<bool>,
    ) -> Self {
        Self {
            takes: takes.unwrap_or_default().iter().filter_map(|word| word.parse().ok()).collect(),
            makes: makes.unwrap_or_default().iter().filter_map(|word| word.parse().ok()).collect(),
            works,
        }
    }
}

/// Which mini apps match. `None` is no condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AppFilter {
    pub takes: Option<Takes>,
    pub makes: Option<Makes>,
    /// Whether the app is known to work, or known not to.
    pub works: Option<bool>,
    pub kind: Option<WorkflowKind>,
}
