//! Reports of what people post, and what moderators make of them.
//!
//! All reports of one thing are one case. Whoever reports it again while it is open changes their report; a report
//! after a decision opens the case anew. A decision is one transaction: the thing, the case, the answers to those who
//! reported, the word to the author, the author's history and the audit log, or nothing of it. Whoever decides says
//! which revision of the case they looked at, so that of two moderators at once the second is told.
//!
//! What is hidden is private and locked: its author cannot publish it again until the case is restored. Its bytes are
//! locked with it, so that they do not come back under another name (`locks.rs`). To restore it does not publish it;
//! whether it is shown again is the author's to say.

mod cases;
mod decisions;
mod filter;
mod locks;
mod people;
mod reports;
mod state;
mod store;
mod words;

use chrono::{DateTime, Utc};
use uuid::Uuid;

pub use cases::{Detail, MAX_PAGE, Page, cases, find, hidden_among};
pub use decisions::{Decided, decide};
pub use filter::{Filter, Order};
pub use people::{BAN_DAYS, MAX_WORDS, Penalty, ban, history, unban, warn};
pub use reports::{MAX_TEXT, report};
pub use state::Verdict;

use crate::Error;
use crate::ids::{AssetId, CaseId, CommentId, OutputAssetId, ReportId, UserId, WorkflowId};
use crate::word_list::word_list;

/// What can be reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Thing {
    Workflow(WorkflowId),
    OutputAsset(OutputAssetId),
    Comment(CommentId),
    /// A file that somebody uploaded: an input, a cover, a portrait.
    Upload(AssetId),
}

word_list! {
    /// The kind of a thing.
    #[repr(i16)]
    pub enum Kind for "kind" {
        Workflow = 1,
        OutputAsset = 2,
        Comment = 3,
        Asset = 4,
    } else Comment
}

impl Kind {
    /// The thing of this kind that has this id.
    #[must_use]
    pub fn thing(self, id: Uuid) -> Thing {
        match self {
            Self::Workflow => Thing::Workflow(WorkflowId(id)),
            Self::OutputAsset => Thing::OutputAsset(OutputAssetId(id)),
            Self::Comment => Thing::Comment(CommentId(id)),
            Self::Asset => Thing::Upload(AssetId(id)),
        }
    }
}

impl Thing {
    /// Its kind.
    #[must_use]
    pub fn kind(self) -> Kind {
        match self {
            Self::Workflow(_) => Kind::Workflow,
            Self::OutputAsset(_) => Kind::OutputAsset,
            Self::Comment(_) => Kind::Comment,
            Self::Upload(_) => Kind::Asset,
        }
    }

    /// Its id, whatever it is.
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
    /// Why somebody reports a thing.
    #[repr(i16)]
    pub enum Reason for "reason" {
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
    /// How a case stands.
    #[repr(i16)]
    pub enum State for "state" {
        Open = 1,
        /// Looked at; the thing stays.
        Kept = 2,
        Hidden = 3,
        Deleted = 4,
    } else Open
}

/// A thing as it was when it was reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// A workflow's name; empty for other things.
    pub title: String,
    /// A description or a comment, as text.
    pub content: String,
    /// A workflow's cover, the upload, or the output.
    pub picture: Option<Uuid>,
}

/// All reports of one thing, and what became of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    pub id: CaseId,
    pub thing: Thing,
    pub author: UserId,
    pub state: State,
    /// Counts every change of the case.
    pub revision: i32,
    /// Reports that were not answered yet.
    pub open_reports: i64,
    pub all_reports: i64,
    /// As the last report had it.
    pub seen: Snapshot,
    pub created_at: DateTime<Utc>,
    pub reported_at: DateTime<Utc>,
    pub decided_at: Option<DateTime<Utc>>,
    pub decided_by: Option<UserId>,
}

/// One person's report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    pub id: ReportId,
    pub case: CaseId,
    pub reporter: UserId,
    pub reason: Reason,
    /// What they wrote; may be empty.
    pub text: String,
    pub seen: Snapshot,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub closed_at: Option<DateTime<Utc>>,
}

word_list! {
    /// What was decided, of a thing or of a person.
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

/// A line of somebody's history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    pub id: Uuid,
    /// `None` where it was about the person alone.
    pub case: Option<CaseId>,
    pub user: UserId,
    pub admin: UserId,
    pub kind: DecisionKind,
    /// What the person was told.
    pub text: String,
    /// The end of a ban; `None` for good.
    pub until: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
}

const GONE: Error = Error::NotFound { what: "case" };

#[cfg(test)]
mod tests;
