//! Whether the current workers can run an app, and what they lack.

use serde::{Deserialize, Serialize};

use crate::graph::Needs;

/// Limit of reported names of one kind, because a graph from elsewhere may lack everything.
const MOST_NAMED: usize = 20;

/// The result of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AppVerdict {
    /// A connected worker has everything.
    Yes,
    /// No worker has everything, connected or not.
    No(Missing),
    /// The workers that have everything are offline, or no worker is connected.
    Unknown,
}

impl AppVerdict {
    pub(super) fn flag(&self) -> Option<bool> {
        match self {
            Self::Yes => Some(true),
            Self::No(_) => Some(false),
            Self::Unknown => None,
        }
    }

    pub(super) fn missing(&self) -> Option<&Missing> {
        match self {
            Self::No(missing) => Some(missing),
            Self::Yes | Self::Unknown => None,
        }
    }
}

/// What the nearest worker lacks, up to twenty of each kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    /// Node classes.
    pub classes: Vec<String>,
    /// Model files, as `folder/name`.
    pub models: Vec<String>,
}

impl From<Needs> for Missing {
    fn from(unmet: Needs) -> Self {
        let models = unmet.models.into_iter().map(|model| format!("{}/{}", model.folder, model.name));
        Self {
            classes: unmet.classes.into_iter().take(MOST_NAMED).collect(),
            models: models.take(MOST_NAMED).collect(),
        }
    }
}
