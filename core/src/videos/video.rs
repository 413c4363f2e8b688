//! A community video.

use chrono::{DateTime, Utc};

use super::address::YoutubeId;
use crate::ids::{AssetId, VideoId};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Video {
    pub id: VideoId,
    pub youtube: YoutubeId,
    pub name: String,
    /// Name of the channel.
    pub author_name: String,
    /// Address of the channel on YouTube.
    pub author_url: Option<String>,
    /// Our public copy of the preview, if YouTube had one.
    pub poster: Option<AssetId>,
    /// Day of publication.
    pub youtube_created_at: DateTime<Utc>,
    /// When a refresh found that YouTube removed it.
    pub gone_at: Option<DateTime<Utc>>,
    /// Time of the last refresh.
    pub checked_at: DateTime<Utc>,
    pub created_at: DateTime<Utc>,
}
