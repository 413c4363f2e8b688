//! Community videos.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;
use verdigraph_core::videos::Video;

use super::assets::AssetView;
use crate::openapi::ToSchema;

/// A YouTube video that admins selected.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VideoView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
    /// The channel.
    #[serde(rename = "author_name")]
    pub author_name: String,
    /// The channel's address on YouTube.
    pub author_url: Option<String>,
    pub youtube_created_at: DateTime<Utc>,
    /// An iframe on the host without cookies, made by this server from the checked id.
    pub html: String,
    /// The page on YouTube.
    pub url: String,
    /// YouTube's id: eleven letters, digits, `-` and `_`.
    pub youtube_id: String,
    /// What the frame of `html` shows.
    pub frame_url: String,
    /// Our copy of the preview, so that browsers do not contact YouTube before playing.
    pub poster: Option<AssetView>,
    /// Whether the video is available on YouTube. Unavailable ones are shown only to admins.
    pub is_available: bool,
    /// When YouTube was last asked.
    pub checked_at: DateTime<Utc>,
    pub created_at: DateTime<Utc>,
}

impl VideoView {
    /// The view, with its preview.
    #[must_use]
    pub fn new(video: Video, poster: Option<AssetView>) -> Self {
        let frame_url = video.youtube.frame();
        let title = escaped(&video.name);
        let html = format!(
            "<iframe src=\"{frame_url}\" title=\"{title}\" width=\"560\" height=\"315\" loading=\"lazy\" \
             referrerpolicy=\"strict-origin-when-cross-origin\" allow=\"encrypted-media; picture-in-picture; fullscreen\" \
             sandbox=\"allow-scripts allow-same-origin allow-presentation allow-popups\" allowfullscreen></iframe>"
        );
        Self {
            id: video.id.0,
            name: video.name,
            author_name: video.author_name,
            author_url: video.author_url,
            youtube_created_at: video.youtube_created_at,
            html,
            url: video.youtube.page(),
            youtube_id: video.youtube.as_str().to_owned(),
            frame_url,
            poster,
            is_available: video.gone_at.is_none(),
            checked_at: video.checked_at,
            created_at: video.created_at,
        }
    }
}

/// A text escaped for an attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn title_is_escaped_in_its_attribute() {
        assert_eq!(escaped("\"><script>&"), "&quot;&gt;&lt;script&gt;&amp;");
    }
}
