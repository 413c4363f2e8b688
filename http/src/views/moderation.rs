//! Reports, cases and decisions.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;
use verdigraph_core::moderation::CaseReport;

use super::users::{BanView, UserCard};
use super::words::{CaseState, DecisionWord, ReportKind, ReportReason};
use crate::openapi::ToSchema;

/// The caller's report of an object.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnReportView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub reason: ReportReason,
    pub text: String,
    pub created_at: DateTime<Utc>,
    /// Later than `createdAt` if the caller reported it before.
    pub updated_at: DateTime<Utc>,
}

impl From<CaseReport> for OwnReportView {
    fn from(report: CaseReport) -> Self {
        let (id, reason) = (report.id.0, report.reason.into());
        Self { id, reason, text: report.text, created_at: report.created_at, updated_at: report.updated_at }
    }
}

/// A reported picture or video.
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

/// An object at a moment.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SnapshotView {
    /// A workflow's name; empty for other objects.
    pub title: String,
    /// A description or a comment, as text.
    pub content: String,
    /// A workflow's cover, or the output; `null` if there is none, or not any more.
    pub picture: Option<SeenPictureView>,
}

/// All reports of one object, and their outcome.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CaseView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub kind: ReportKind,
    /// The object.
    pub target: Uuid,
    /// Its author.
    pub author: Option<UserCard>,
    pub state: CaseState,
    /// Increases with every change of the case; a decision names the revision it is based on.
    pub revision: i32,
    /// Reports without an answer.
    pub open_reports: i64,
    pub all_reports: i64,
    /// At the last report.
    pub seen: SnapshotView,
    pub created_at: DateTime<Utc>,
    pub reported_at: DateTime<Utc>,
    pub decided_at: Option<DateTime<Utc>>,
    pub decided_by: Option<UserCard>,
}

/// One user's report.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReportView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub reporter: Option<UserCard>,
    pub reason: ReportReason,
    /// The reporter's text; may be empty.
    pub text: String,
    pub seen: SnapshotView,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    /// When it was answered.
    pub closed_at: Option<DateTime<Utc>>,
}

/// An entry of a user's moderation history.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecisionView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub kind: DecisionWord,
    /// The case; `null` if it was about the user only.
    pub case: Option<Uuid>,
    pub admin: Option<UserCard>,
    /// The text shown to the user.
    pub text: String,
    /// The end of a ban; `null` for a permanent one.
    pub until: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
}

/// A case with everything needed to decide it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CaseDetailView {
    #[serde(flatten)]
    pub case: CaseView,
    /// The object now; `null` if deleted.
    pub now: Option<SnapshotView>,
    /// The commented workflow.
    pub workflow: Option<Uuid>,
    /// The commented output.
    pub output_asset: Option<Uuid>,
    /// Newest first, at most 100.
    pub reports: Vec<ReportView>,
    /// Earlier decisions about its author, newest first.
    pub history: Vec<DecisionView>,
    /// Its author's current ban.
    pub author_ban: Option<BanView>,
}
