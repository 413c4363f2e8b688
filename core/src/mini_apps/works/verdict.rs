//! Whether the workers of today can run an app, and what they lack.

use serde::{Deserialize, Serialize};

use crate::graph::Needs;

/// Things of one kind that are named at most: a graph from elsewhere may lack everything.
const MOST_NAMED: usize = 20;

/// What was found out of an app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Works {
    /// A connected worker has everything.
    Yes,
    /// No worker has everything, connected or not.
    No(Missing),
    /// Those who have it are away, or nobody is connected at all.
    Unknown,
}

impl Works {
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
