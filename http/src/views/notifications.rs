//! Notifications, notices, and mail settings.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;
use verdigraph_core::notifications::{Notice, NotificationKind, Unread};

use super::users::UserCard;
use crate::openapi::ToSchema;

/// A notification.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotificationView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// `COMMENT`, `LIKE`, `NOTICE`, `REQUESTS` or `OTHERS`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Who caused it.
    pub user: Option<ActorView>,
    pub workflow: Option<Uuid>,
    pub output_asset: Option<OutputAssetRef>,
    pub comment: Option<Uuid>,
    /// `WORKFLOW` or `GALLERY`; `null` if it is not about a post.
    pub category_type: Option<&'static str>,
    pub title: TitleView,
    /// Whether it is an answer to the recipient's own comment.
    pub recomment: bool,
    /// The text; sanitized HTML for a notice.
    pub content: Option<String>,
    /// `VIEW`, `LIKE` or `LAUNCH`: the count that has reached `title.count`.
    pub others_type: Option<&'static str>,
    pub created_at: DateTime<Utc>,
    pub checked_at: Option<DateTime<Utc>>,
}

/// The user who caused a notification.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ActorView {
    #[serde(flatten)]
    pub card: UserCard,
    /// Admins are shown with the product's icon.
    pub roles: Vec<String>,
}

/// A notification's picture, if it can still be seen.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutputAssetRef {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub thumbnail_url: Option<String>,
}

/// Parts of a notification's sentence.
#[derive(Debug, Serialize, ToSchema)]
pub struct TitleView {
    /// The workflow's name at that time, or a notice's title.
    pub workflow: Option<String>,
    pub count: Option<i64>,
}

/// Unread notifications; 1000 means that many or more.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountView {
    pub count: i64,
    /// The same for each type.
    pub by_type: BTreeMap<&'static str, i64>,
}

impl From<Unread> for CountView {
    fn from(unread: Unread) -> Self {
        let by_type = NotificationKind::ALL.into_iter().map(|kind| (kind.name(), unread.of(kind))).collect();
        Self { count: unread.all, by_type }
    }
}

/// Unread notifications of a type, and its number of pages.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TypeCountView {
    #[serde(rename = "type")]
    pub kind: String,
    /// Unread; 1000 means that many or more.
    pub count: i64,
    /// All, with `pagination=true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pagination: Option<super::Pagination>,
}

/// How many became read.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckedView {
    pub checked_count: u64,
}

/// The types that the caller gets by mail.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotificationSettingsView {
    pub mailed_types: Vec<&'static str>,
}

impl From<Vec<NotificationKind>> for NotificationSettingsView {
    fn from(kinds: Vec<NotificationKind>) -> Self {
        Self { mailed_types: kinds.into_iter().map(NotificationKind::name).collect() }
    }
}

/// A notice of the admins, in both languages.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NoticeView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub title_en: String,
    pub title_ko: String,
    /// Sanitized HTML.
    pub content_en: String,
    pub content_ko: String,
    pub created_at: DateTime<Utc>,
}

impl From<Notice> for NoticeView {
    fn from(notice: Notice) -> Self {
        let Notice { id, title_en, title_ko, content_en, content_ko, created_at, .. } = notice;
        Self { id: id.0, title_en, title_ko, content_en, content_ko, created_at }
    }
}
