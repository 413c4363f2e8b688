//! Reports of posts, and moderators' decisions about them.
//!
//! All reports of one target are one case. A user who reports it again while the case is open changes the earlier
//! report; a report after a decision reopens the case. A decision is one transaction: target, case, answers to the
//! reporters, notification of the author, the author's history and the audit log. A decision names the revision of the
//! case that the moderator saw, so that the second of two concurrent decisions fails.
//!
//! Hidden posts are private and locked: the author cannot publish them until the case is restored. Their bytes are
//! locked too, so that they do not return under another name (`locks.rs`). Restoring does not publish a post; its
//! author decides that.

mod cases;
mod decisions;
mod filter;
mod locks;
mod notice_texts;
mod people;
mod reports;
mod state;
mod store;

use chrono::{DateTime, Utc};
use uuid::Uuid;

pub use cases::{CaseDetail, cases, find, hidden_among};
pub use decisions::{CaseDecision, decide};
pub use filter::{CaseFilter, CaseOrder};
pub use people::{BAN_DAYS, MAX_WORDS, Penalty, ban, history, unban, warn};
pub use reports::{MAX_TEXT, report};
pub use state::Verdict;

use crate::Error;
use crate::ids::{AssetId, CaseId, CommentId, OutputAssetId, ReportId, UserId, WorkflowId};
use crate::word_list::word_list;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ReportTarget {
    Workflow(WorkflowId),
    OutputAsset(OutputAssetId),
    Comment(CommentId),
    /// An uploaded file: an input, a cover, a portrait.
    Upload(AssetId),
}

word_list! {
    #[repr(i16)]
    pub enum ReportTargetKind for "kind" {
        Workflow = 1,
        OutputAsset = 2,
        Comment = 3,
        Asset = 4,
    } else Comment
}

impl ReportTargetKind {
    /// The target of this kind with this id.
    #[must_use]
    pub fn thing(self, id: Uuid) -> ReportTarget {
        match self {
            Self::Workflow => ReportTarget::Workflow(WorkflowId(id)),
            Self::OutputAsset => ReportTarget::OutputAsset(OutputAssetId(id)),
            Self::Comment => ReportTarget::Comment(CommentId(id)),
            Self::Asset => ReportTarget::Upload(AssetId(id)),
        }
    }
}

impl ReportTarget {
    #[must_use]
    pub fn kind(self) -> ReportTargetKind {
        match self {
            Self::Workflow(_) => ReportTargetKind::Workflow,
            Self::OutputAsset(_) => ReportTargetKind::OutputAsset,
            Self::Comment(_) => ReportTargetKind::Comment,
            Self::Upload(_) => ReportTargetKind::Asset,
        }
    }

    #[must_use]
    pub fn id(self) -> Uuid {
        match self {
            Self::Workflow(id) => id.0,
            Self::OutputAsset(id) => id.0,
            Self::Comment(id) => id.0,
            Self::Upload(id) => id.0,
        }
    }
}

word_list! {
    /// Why a user reports a target.
    #[repr(i16)]
    pub enum ReportReason for "reason" {
        Spam = 1,
        Sexual = 2,
        Violence = 3,
        Hate = 4,
        Copyright = 5,
        Personal = 6,
        Other = 7,
    } else Other
}

word_list! {
    #[repr(i16)]
    pub enum CaseState for "state" {
        Open = 1,
        /// A moderator decided to keep the target.
        Kept = 2,
        Hidden = 3,
        Deleted = 4,
    } else Open
}

/// A target as it was when it was reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// A workflow's name; empty for other things.
    pub title: String,
    /// A description or a comment, as text.
    pub content: String,
    /// A workflow's cover, the upload, or the output.
    pub picture: Option<Uuid>,
}

/// All reports of one target, and the decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    pub id: CaseId,
    pub thing: ReportTarget,
    pub author: UserId,
    pub state: CaseState,
    /// Incremented by every change of the case.
    pub revision: i32,
    /// Reports that are not answered yet.
    pub open_reports: i64,
    pub all_reports: i64,
    /// From the last report.
    pub seen: Snapshot,
    pub created_at: DateTime<Utc>,
    pub reported_at: DateTime<Utc>,
    pub decided_at: Option<DateTime<Utc>>,
    pub decided_by: Option<UserId>,
}

/// A user's report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseReport {
    pub id: ReportId,
    pub case: CaseId,
    pub reporter: UserId,
    pub reason: ReportReason,
    /// The reporter's text; may be empty.
    pub text: String,
    pub seen: Snapshot,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub closed_at: Option<DateTime<Utc>>,
}

word_list! {
    /// A decision about a target or a user.
    #[repr(i16)]
    pub enum DecisionKind for "kind" {
        Keep = 1,
        Hide = 2,
        Delete = 3,
        Restore = 4,
        Warn = 5,
        Ban = 6,
        Unban = 7,
    } else Keep
}

/// An entry of a user's history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    pub id: Uuid,
    /// `None` for a decision about the user only.
    pub case: Option<CaseId>,
    pub user: UserId,
    pub admin: UserId,
    pub kind: DecisionKind,
    /// The text that the user got.
    pub text: String,
    /// The end of a ban; `None` if permanent.
    pub until: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
}

const GONE: Error = Error::NotFound { what: "case" };

#[cfg(test)]
mod tests;
