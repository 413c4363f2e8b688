//! Which jobs a list shows.

use super::status::Status;
use crate::filter::{MAX_IDS, Span};
use crate::ids::{BatchId, JobId, WorkflowApiId};
use crate::{Error, Result};

/// Which jobs a list shows.
#[derive(Debug, Clone, Default)]
pub struct JobFilter {
    /// Of any status where none is named.
    pub statuses: Vec<Status>,
    /// Only those of a batch.
    pub batch: Option<BatchId>,
    /// Only those that ran this mini app, any of its versions.
    pub app: Option<WorkflowApiId>,
    /// Only these.
    pub ids: Option<Vec<JobId>>,
    pub created: Span,
}

impl JobFilter {
    /// Whether it can find anything.
    pub(super) fn is_open(&self) -> Result<bool> {
        match &self.ids {
            Some(ids) if ids.len() > MAX_IDS => {
                Err(Error::invalid("filter._id", format!("may name {MAX_IDS} ids at most")))
            }
            ids => Ok(ids.as_ref().is_none_or(|ids| !ids.is_empty())),
        }
    }
}
