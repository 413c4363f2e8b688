//! Kinds of workflows.

use crate::word_list::word_list;
use crate::{Error, Result};

word_list! {
    /// The kind of a workflow. Admins mark `figma` and `generator`; the others follow from the workflow.
    pub enum WorkflowKind for "kind" {
        /// Without a mini app.
        Comfy => "comfy",
        /// With a mini app, not published.
        WorkflowApi => "workflow-api",
        /// A published mini app.
        EasyApp => "easyapp",
        /// For design programs.
        Figma => "figma",
        /// The home page's prompt box chooses among these.
        Generator => "generator",
    }
}

impl WorkflowKind {
    /// # Errors
    /// [`Error::Invalid`] for a kind that follows from the workflow.
    pub(in crate::workflows) fn must_be_marked_by_admins(self) -> Result<Self> {
        match self {
            Self::Figma | Self::Generator => Ok(self),
            Self::Comfy | Self::WorkflowApi | Self::EasyApp => {
                Err(Error::invalid("kind", "must be figma or generator; the other kinds follow from the workflow"))
            }
        }
    }
}
