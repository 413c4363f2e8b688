//! Files.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;
use verdigraph_core::assets::{Asset, AssetKind, ContentHash};
use verdigraph_core::gallery::InputAsset;

use crate::attachment::encoded;
use crate::openapi::ToSchema;

/// A stored file.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AssetView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// Content hash and extension: the last part of the file's addresses.
    pub key: String,
    /// The key of the small WebP picture.
    pub webp_key: String,
    /// Start of addresses; empty for addresses of this site.
    pub base_url: String,
    /// The folder of the media addresses.
    pub prefix: &'static str,
    /// The quality for pages.
    pub optimal: &'static str,
    pub name: String,
    /// `Image`, `Video`, `Audio`, `Text` or `File`.
    pub kind: &'static str,
    /// The original file.
    pub url: String,
    /// 200 pixels wide.
    pub thumbnail_url: String,
    pub width: Option<i32>,
    pub height: Option<i32>,
    pub metadata: MetadataView,
    pub size_bytes: i64,
    /// A blurred placeholder of a few bytes, in Base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blur_hash: Option<String>,
    pub created_at: DateTime<Utc>,
}

/// Facts about a picture or video.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MetadataView {
    /// In pixels, as displayed.
    pub width: Option<i32>,
    pub height: Option<i32>,
    /// Milliseconds, if the video has them.
    pub duration: Option<i64>,
    /// A still picture of a video, as WebP. `null` for other files, and for a video that could not be read: pages
    /// show its first frame then.
    pub video_preview_image_url: Option<String>,
}

impl MetadataView {
    /// Facts about a file; a video that has a size has a poster too.
    #[must_use]
    pub fn new(kind: AssetKind, size: (Option<i32>, Option<i32>), duration_ms: Option<i64>, poster: &str) -> Self {
        let (width, height) = size;
        let has_poster = kind == AssetKind::Video && width.is_some();
        let video_preview_image_url = has_poster.then(|| poster.to_owned());
        Self { width, height, duration: duration_ms, video_preview_image_url }
    }
}

/// A file that its owner may use as an input.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InputAssetView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// Its owner.
    pub user: Uuid,
    pub asset: AssetView,
    pub is_private: bool,
    pub created_at: DateTime<Utc>,
}

impl InputAssetView {
    /// The view; addresses start with `base_url`.
    #[must_use]
    pub fn new(input: InputAsset, base_url: &str) -> Self {
        let InputAsset { id, user, asset, is_private, created_at } = input;
        Self { id: id.0, user: user.0, asset: AssetView::new(asset, base_url), is_private, created_at }
    }
}

impl AssetView {
    /// The view; addresses start with `base_url`.
    #[must_use]
    pub fn new(asset: Asset, base_url: &str) -> Self {
        let key = asset.key().to_string();
        let url = media_url(base_url, "raw", &key);
        let thumbnail_url = match asset.kind {
            AssetKind::Image => media_url(base_url, "w200", &key),
            AssetKind::Video | AssetKind::Audio | AssetKind::Text | AssetKind::File => url.clone(),
        };
        let size = (asset.stored.width, asset.stored.height);
        let poster = media_url(base_url, "optimal", &key);
        let metadata = MetadataView::new(asset.kind, size, asset.stored.duration_ms, &poster);
        Self {
            id: asset.id.0,
            webp_key: key.clone(),
            key,
            base_url: base_url.to_owned(),
            prefix: "media",
            optimal: "optimal",
            name: asset.name,
            kind: asset.kind.as_str(),
            url,
            thumbnail_url,
            width: asset.stored.width,
            height: asset.stored.height,
            metadata,
            size_bytes: asset.stored.size_bytes,
            blur_hash: asset.stored.blur_hash,
            created_at: asset.created_at,
        }
    }
}

/// The address that downloads an owner's output under this name.
#[must_use]
pub fn download_url(base_url: &str, content: &ContentHash, name: &str) -> String {
    format!("{base_url}/media/raw/{}/{}", content.as_str(), encoded(name))
}

/// The address of a file in one quality: `raw`, `w200`, `w480`, `w960` or `optimal`.
#[must_use]
pub fn media_url(base_url: &str, quality: &str, key: &str) -> String {
    format!("{base_url}/media/{quality}/{key}")
}
