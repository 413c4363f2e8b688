//! Pictures and other outputs in the gallery.

use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::users::UserCard;

/// An output of a job.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutputAssetView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub key: String,
    /// The file's extension: `png`.
    pub format: String,
    pub raw_url: String,
    pub optimal_url: String,
    pub asset: OutputFile,
    pub user: Option<UserCard>,
    /// Whether the asker likes it is told by the likes themselves; a list of none for now.
    pub likes: Vec<Uuid>,
    pub like_count: i64,
    pub view_count: i64,
    pub is_private: bool,
    pub is_nsfw: bool,
    pub created_at: DateTime<Utc>,
    pub expires_at: Option<DateTime<Utc>>,
    /// `image`, `video`, `audio` or `file`.
    pub kind: String,
    pub job: OutputJob,
}

/// The file behind an output.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutputFile {
    pub key: String,
    pub base_url: String,
    pub url: String,
    pub thumbnail_url: String,
    pub width: Option<i32>,
    pub height: Option<i32>,
}

/// The job that made an output.
#[derive(Debug, Serialize, ToSchema)]
pub struct OutputJob {
    #[serde(rename = "_id")]
    pub id: Option<Uuid>,
    /// Milliseconds that it ran.
    pub duration: Option<i64>,
}
