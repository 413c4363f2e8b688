//! Pictures and other outputs in the gallery.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;

use verdigraph_core::assets::AssetKind;
use verdigraph_core::gallery::OutputAsset;
use verdigraph_core::jobs::OutputGraph;

use super::assets::{MetadataView, download_url, media_url};
use super::users::UserCard;
use super::words::ReportReason;
use super::workflows::graph_text;
use crate::openapi::ToSchema;

/// An output of a job.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutputAssetView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// The same id, as the specification names it.
    #[serde(rename = "id")]
    pub id_again: Uuid,
    pub key: String,
    /// The file's extension: `png`.
    pub format: String,
    pub raw_url: String,
    /// The file name from the worker, for owner and admins. `null` if it has none.
    pub file_name: Option<String>,
    /// The address that downloads the file under that name.
    pub download_url: Option<String>,
    pub content_type: &'static str,
    /// Whether there is a smaller picture of it, or a poster. Pictures beyond the installation's limits have none:
    /// their owner downloads them.
    pub has_preview: bool,
    /// Whether it can be published: pictures with a preview, videos and audio files.
    pub is_publishable: bool,
    pub optimal_url: String,
    pub asset: OutputFile,
    pub user: Option<UserCard>,
    /// The caller's own id if they like it. Other users' likes are private.
    pub likes: Vec<Uuid>,
    pub like_count: i64,
    /// -1 if deleted.
    pub view_count: i64,
    pub is_private: bool,
    pub is_nsfw: bool,
    /// Whether others see how it was made: the mini app and its settings, including the texts that its owner typed.
    /// `true` unless its owner changes it.
    pub shows_origin: bool,
    pub created_at: DateTime<Utc>,
    pub expires_at: Option<DateTime<Utc>>,
    /// `image`, `video`, `audio` or `file`.
    pub kind: &'static str,
    pub job: OutputJob,
    /// Set if a moderator has hidden it, for owner and admins.
    pub moderation: Option<HiddenView>,
}

/// Why a moderator hid an output.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct HiddenView {
    /// The reason of the report; empty if another output with the same file was hidden.
    pub reasons: Vec<ReportReason>,
}

impl OutputAssetView {
    /// What is left of an output that was deleted or hidden: a place in a list, without addresses.
    #[must_use]
    pub fn without(id: Uuid, what: Without) -> Self {
        let (key, format, raw_url, optimal_url) = <(String, String, String, String)>::default();
        Self {
            id,
            id_again: id,
            format,
            file_name: None,
            download_url: None,
            content_type: "",
            has_preview: false,
            is_publishable: false,
            asset: OutputFile {
                key: key.clone(),
                webp_key: key.clone(),
                base_url: String::new(),
                prefix: "media",
                optimal: "optimal",
                name: String::new(),
                kind: AssetKind::Image.as_str(),
                url: String::new(),
                thumbnail_url: String::new(),
                width: None,
                height: None,
                metadata: MetadataView::default(),
                blur_hash: None,
            },
            key,
            raw_url,
            optimal_url,
            user: None,
            likes: Vec::new(),
            like_count: 0,
            view_count: if what == Without::Deleted { -1 } else { 0 },
            is_private: true,
            is_nsfw: false,
            shows_origin: false,
            created_at: created_at(id),
            expires_at: None,
            kind: "image",
            job: OutputJob { id: None, duration: None },
            moderation: None,
        }
    }

    /// The view; addresses start with `base_url`.
    #[must_use]
    pub fn new(asset: OutputAsset, base_url: &str) -> Self {
        let key = format!("{}.{}", asset.content.0, asset.media.extension());
        let download_url = asset.name.as_deref().map(|name| download_url(base_url, &asset.content, name));
        let raw_url = raw_url(&asset, base_url);
        let kind = asset.media.kind();
        let has_poster = kind == AssetKind::Video && asset.width.is_some();
        // Only pictures have smaller versions; a video's are its poster, which is not played.
        let (optimal_url, thumbnail_url) = match kind {
            AssetKind::Image if asset.has_preview => {
                (media_url(base_url, "optimal", &key), media_url(base_url, "w200", &key))
            }
            AssetKind::Video if has_poster => (raw_url.clone(), media_url(base_url, "w200", &key)),
            _ => (raw_url.clone(), raw_url.clone()),
        };
        let poster = media_url(base_url, "optimal", &key);
        let metadata = MetadataView::new(kind, (asset.width, asset.height), asset.duration_ms, &poster);
        Self {
            id: asset.id.0,
            id_again: asset.id.0,
            format: asset.ending(),
            content_type: asset.content_type(),
            has_preview: asset.has_preview,
            is_publishable: asset.is_publishable,
            optimal_url,
            asset: OutputFile {
                key: key.clone(),
                webp_key: key.clone(),
                base_url: base_url.to_owned(),
                prefix: "media",
                optimal: if kind == AssetKind::Image && asset.has_preview { "optimal" } else { "raw" },
                name: asset.saved_as(),
                kind: kind.as_str(),
                url: raw_url.clone(),
                thumbnail_url,
                width: asset.width,
                height: asset.height,
                metadata,
                blur_hash: asset.blur_hash,
            },
            raw_url,
            file_name: asset.name,
            download_url,
            key,
            user: Some(UserCard::new(asset.user, asset.user_name, None)),
            likes: Vec::new(),
            like_count: asset.like_count,
            view_count: asset.view_count,
            is_private: asset.is_private,
            is_nsfw: asset.is_nsfw,
            shows_origin: asset.shows_origin,
            created_at: asset.created_at,
            expires_at: asset.expires_at,
            kind: match kind {
                AssetKind::Image => "image",
                AssetKind::Video => "video",
                AssetKind::Audio => "audio",
                AssetKind::Text | AssetKind::File => "file",
            },
            job: OutputJob { id: Some(asset.job.0), duration: Some(asset.ran_ms) },
            moderation: None,
        }
    }
}

/// The address of an output's file; for files that are only downloads, the download address.
#[must_use]
pub fn raw_url(asset: &OutputAsset, base_url: &str) -> String {
    match &asset.name {
        Some(name) if asset.media.kind().is_download() => download_url(base_url, &asset.content, name),
        _ => media_url(base_url, "raw", &format!("{}.{}", asset.content.0, asset.media.extension())),
    }
}

/// Why an output cannot be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Without {
    /// Its owner hid it.
    Hidden,
    Deleted,
}

/// A UUIDv7 contains its time.
fn created_at(id: Uuid) -> DateTime<Utc> {
    let seconds = id.get_timestamp().and_then(|at| i64::try_from(at.to_unix().0).ok());
    seconds.and_then(|seconds| DateTime::from_timestamp(seconds, 0)).unwrap_or_default()
}

/// Whether the caller likes an output now, and how many users do.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LikedView {
    pub is_like: bool,
    pub like_count: i64,
}

/// One output: whole, or the graph that made it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum FoundOutputView {
    Whole(Box<OutputAssetView>),
    Graph(OutputGraphView),
}

/// The graph that made an output, as `select=prompt name` asks for it.
#[derive(Debug, Serialize, ToSchema)]
pub struct OutputGraphView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// The workflow's name; empty for a raw prompt.
    pub name: String,
    /// A JSON text: `{"workflow": null, "output": API format}`.
    pub prompt: String,
    /// The workflow whose mini app made it.
    pub workflow: Option<Uuid>,
}

impl OutputGraphView {
    /// The view of an output's graph.
    #[must_use]
    pub fn new(id: Uuid, made: OutputGraph) -> Self {
        let prompt = graph_text(None, Some(&made.prompt));
        let workflow = made.workflow.as_ref().map(|workflow| workflow.id.0);
        Self { id, name: made.workflow.map(|workflow| workflow.name).unwrap_or_default(), prompt, workflow }
    }
}

/// The file behind an output.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutputFile {
    pub key: String,
    /// The key of the small WebP picture.
    pub webp_key: String,
    pub base_url: String,
    /// The folder of the media addresses.
    pub prefix: &'static str,
    /// The quality for pages.
    pub optimal: &'static str,
    /// The file name for downloads of several: `YYYYMMDD_HHmmss` of its creation, in UTC. Files other than pictures
    /// keep the name from their worker.
    pub name: String,
    /// `Image`, `Video`, `Audio` or `File`.
    pub kind: &'static str,
    pub url: String,
    pub thumbnail_url: String,
    pub width: Option<i32>,
    pub height: Option<i32>,
    pub metadata: MetadataView,
    /// A blurred placeholder of a few bytes, in Base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blur_hash: Option<String>,
}

/// The job that made an output.
#[derive(Debug, Serialize, ToSchema)]
pub struct OutputJob {
    /// For owner and admins.
    #[serde(rename = "_id")]
    pub id: Option<Uuid>,
    /// Its run time in milliseconds.
    pub duration: Option<i64>,
}
