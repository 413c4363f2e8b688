//! Outputs that a job does not deliver as its nodes made them, and why.

use serde::{Deserialize, Serialize};

use crate::word_list::word_list;

/// Notes kept per node; further notes are merged by code.
const NOTES_PER_NODE: usize = 20;

/// A file, text or value of a node that is not delivered to the job's owner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Undelivered {
    /// The file's name, or the key of the node's output; empty if the note covers several.
    pub name: String,
    pub code: UndeliveredCode,
    pub message: String,
    pub count: usize,
}

word_list! {
    /// Why a piece of an output is not delivered.
    #[derive(Serialize, Deserialize)]
    pub enum UndeliveredCode for "code" {
        /// The worker refuses to send the file.
        FileRefused => "FILE_REFUSED",
        /// The worker does not have the file that its node names.
        FileMissing => "FILE_MISSING",
        FileEmpty => "FILE_EMPTY",
        /// The connection broke at every attempt to fetch the file.
        FileCutOff => "FILE_CUT_OFF",
        /// The file, or all files of the job together, exceed a limit.
        FileTooLarge => "FILE_TOO_LARGE",
        TooManyFiles => "TOO_MANY_FILES",
        /// The file was fetched but could not be stored.
        FileNotStored => "FILE_NOT_STORED",
        /// Only the start of the text is delivered.
        TextCut => "TEXT_CUT",
        /// The job has reached its maximum number of texts.
        TooManyTexts => "TOO_MANY_TEXTS",
        /// The value is neither a text nor a number nor a file.
        ValueNotShown => "VALUE_NOT_SHOWN",
        /// The value is too large to read.
        ValueTooLarge => "VALUE_TOO_LARGE",
        /// The worker failed with an error of its own.
        WorkerError => "WORKER_ERROR",
        /// Fetching the outputs took too long.
        NotInTime => "NOT_IN_TIME",
        /// A moderator has hidden the file since. Not stored: it may be shown again.
        HiddenByModerator => "HIDDEN_BY_MODERATOR",
    }
}

impl Undelivered {
    #[must_use]
    pub fn new(name: &str, code: UndeliveredCode, message: impl Into<String>) -> Self {
        Self { name: name.to_owned(), code, message: message.into(), count: 1 }
    }

    /// Keeps [`NOTES_PER_NODE`] notes and merges the rest into one note per code.
    #[must_use]
    pub fn condensed(notes: Vec<Self>) -> Vec<Self> {
        let mut kept: Vec<Self> = Vec::new();
        for note in notes {
            if kept.len() < NOTES_PER_NODE {
                kept.push(note);
                continue;
            }
            let more = kept.iter_mut().skip(NOTES_PER_NODE).find(|more| more.code == note.code);
            match more {
                Some(more) => more.count += note.count,
                None => kept.push(Self { name: String::new(), ..note }),
            }
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_of_one_node_are_merged_and_keep_their_count() {
        let codes = [UndeliveredCode::FileEmpty, UndeliveredCode::FileRefused];
        let notes = (0..1000).map(|n| Undelivered::new(&format!("{n}.png"), codes[n % 2], "it is not there"));
        let condensed = Undelivered::condensed(notes.collect());
        assert_eq!(condensed.len(), NOTES_PER_NODE + 2);
        assert_eq!(condensed.iter().map(|note| note.count).sum::<usize>(), 1000);
    }
}
