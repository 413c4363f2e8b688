//! What is kept of a community video.

use chrono::{DateTime, Utc};

use super::address::YoutubeId;
use crate::ids::{AssetId, VideoId};

/// A video that an admin picked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Video {
    pub id: VideoId,
    pub youtube: YoutubeId,
    pub name: String,
    /// The channel.
    pub author_name: String,
    /// An address at YouTube.
    pub author_url: Option<String>,
    /// Our copy of the preview, which everybody may see; `None` where there was none to be had.
    pub poster: Option<AssetId>,
    /// When it came out.
    pub youtube_created_at: DateTime<Utc>,
    /// Since when YouTube gives it to nobody any more.
    pub gone_at: Option<DateTime<Utc>>,
    /// When YouTube was asked last.
    pub checked_at: DateTime<Utc>,
    pub created_at: DateTime<Utc>,
}
