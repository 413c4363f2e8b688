//! Reports, the cases that they make, and what was decided.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;
use verdigraph_core::moderation::Report;

use super::users::{BanView, UserCard};
use super::words::{CaseState, DecisionWord, ReportKind, ReportReason};
use crate::described::ToSchema;

/// The caller's report of a thing.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnReportView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub reason: ReportReason,
    pub text: String,
    pub created_at: DateTime<Utc>,
    /// Later than `createdAt` where the caller had reported it before.
    pub updated_at: DateTime<Utc>,
}

impl From<Report> for OwnReportView {
    fn from(report: Report) -> Self {
        let (id, reason) = (report.id.0, report.reason.into());
        Self { id, reason, text: report.text, created_at: report.created_at, updated_at: report.updated_at }
    }
}

/// A picture or video among what was reported.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SeenPictureView {
    pub url: String,
    pub thumbnail_url: String,
    /// `image`, `video`, `audio` or `file`.
    pub kind: &'static str,
    /// A still picture of a video.
    pub poster_url: Option<String>,
}

/// A thing as it was at some time.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SnapshotView {
    /// A workflow's name; empty for other things.
    pub title: String,
    /// A description or a comment, as text.
    pub content: String,
    /// A workflow's cover, or the output; `null` where there is none, or none any more.
    pub picture: Option<SeenPictureView>,
}

/// All reports of one thing, and what became of them.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CaseView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub kind: ReportKind,
    /// The thing.
    pub target: Uuid,
    /// Whose it is.
    pub author: Option<UserCard>,
    pub state: CaseState,
    /// Counts every change of the case; a decision names the one that was looked at.
    pub revision: i32,
    /// Reports that were not answered yet.
    pub open_reports: i64,
    pub all_reports: i64,
    /// As the last report had it.
    pub seen: SnapshotView,
    pub created_at: DateTime<Utc>,
    pub reported_at: DateTime<Utc>,
    pub decided_at: Option<DateTime<Utc>>,
    pub decided_by: Option<UserCard>,
}

/// One person's report.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReportView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub reporter: Option<UserCard>,
    pub reason: ReportReason,
    /// What they wrote; may be empty.
    pub text: String,
    pub seen: SnapshotView,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    /// When it was answered.
    pub closed_at: Option<DateTime<Utc>>,
}

/// A line of somebody's history.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecisionView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub kind: DecisionWord,
    /// The case; `null` where it was about the person alone.
    pub case: Option<Uuid>,
    pub admin: Option<UserCard>,
    /// What the person was told.
    pub text: String,
    /// The end of a ban; `null` for good.
    pub until: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
}

/// A case with all that a moderator needs to decide it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CaseDetailView {
    #[serde(flatten)]
    pub case: CaseView,
    /// The thing as it is now; `null` where it is gone.
    pub now: Option<SnapshotView>,
    /// The workflow that a comment stands below.
    pub workflow: Option<Uuid>,
    /// The output that a comment stands below.
    pub output_asset: Option<Uuid>,
    /// Newest first, at most 100.
    pub reports: Vec<ReportView>,
    /// What was decided about its author so far, newest first.
    pub history: Vec<DecisionView>,
    /// The ban that its author has now.
    pub author_ban: Option<BanView>,
}
