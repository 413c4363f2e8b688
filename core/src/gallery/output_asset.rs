//! An output: as it is seen, and as a job brings it.

use chrono::{DateTime, Utc};

use crate::assets::{ContentHash, Embedded, MediaType};
use crate::ids::{JobId, OutputAssetId, UserId};

/// A picture, video, sound or file that a job made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputAsset {
    pub id: OutputAssetId,
    pub user: UserId,
    /// The owner's name, for cards.
    pub user_name: String,
    pub job: JobId,
    pub node_id: String,
    pub content: ContentHash,
    pub media: MediaType,
    pub size_bytes: i64,
    pub width: Option<i32>,
    pub height: Option<i32>,
    pub is_private: bool,
    pub is_nsfw: bool,
    pub like_count: i64,
    pub view_count: i64,
    /// How long its job ran, in milliseconds.
    pub ran_ms: i64,
    /// A placeholder for pictures and posters, in BlurHash form.
    pub blur_hash: Option<String>,
    /// Of videos that could be read.
    pub duration_ms: Option<i64>,
    /// Where the prompt and the graph are that its worker wrote into it.
    pub embedded: Embedded,
    pub created_at: DateTime<Utc>,
    /// When it will be deleted; `None` for published ones.
    pub expires_at: Option<DateTime<Utc>>,
    /// Whether others who see it are told what it was made with.
    pub shows_origin: bool,
}

/// An output to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewOutputAsset {
    pub id: OutputAssetId,
    pub user: UserId,
    pub job: JobId,
    pub node_id: String,
    /// Place among the job's outputs, from 0.
    pub position: i32,
    pub content: ContentHash,
    pub media: MediaType,
    pub size_bytes: i64,
    pub width: Option<i32>,
    pub height: Option<i32>,
    pub ran_ms: i64,
    /// A placeholder for pictures and posters, in BlurHash form.
    pub blur_hash: Option<String>,
    /// Of videos that could be read.
    pub duration_ms: Option<i64>,
    /// Where the prompt and the graph are that its worker wrote into it.
    pub embedded: Embedded,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}
