//! Pictures and other outputs in the gallery.

use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use verdigraph_core::assets::AssetKind;
use verdigraph_core::gallery::OutputAsset;

use super::assets::media_url;
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
    pub kind: &'static str,
    pub job: OutputJob,
}

impl OutputAssetView {
    /// The view, with addresses that begin with `base_url`.
    #[must_use]
    pub fn new(asset: OutputAsset, base_url: &str) -> Self {
        let key = format!("{}.{}", asset.content.0, asset.media.extension());
        let raw_url = media_url(base_url, "raw", &key);
        let kind = asset.media.kind();
        // Only pictures have smaller editions.
        let edition =
            |quality| if kind == AssetKind::Image { media_url(base_url, quality, &key) } else { raw_url.clone() };
        let (optimal_url, thumbnail_url) = (edition("optimal"), edition("w200"));
        Self {
            id: asset.id.0,
            format: asset.media.extension().to_owned(),
            optimal_url,
            asset: OutputFile {
                key: key.clone(),
                base_url: base_url.to_owned(),
                url: raw_url.clone(),
                thumbnail_url,
                width: asset.width,
                height: asset.height,
            },
            raw_url,
            key,
            user: Some(UserCard { id: asset.user.0, name: asset.user_name, profile: None, social_profile: None }),
            likes: Vec::new(),
            like_count: asset.like_count,
            view_count: asset.view_count,
            is_private: asset.is_private,
            is_nsfw: asset.is_nsfw,
            created_at: asset.created_at,
            expires_at: asset.expires_at,
            kind: match kind {
                AssetKind::Image => "image",
                AssetKind::Video => "video",
                AssetKind::Audio => "audio",
                AssetKind::File => "file",
            },
            job: OutputJob { id: Some(asset.job.0), duration: Some(asset.ran_ms) },
        }
    }
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
