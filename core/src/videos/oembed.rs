//! Metadata of videos from YouTube's oEmbed. The HTML in its answer is ignored.

use reqwest::Url;
use serde::Deserialize;

use super::address::{YoutubeId, channel};
use crate::outbound::OutboundError;
use crate::{Core, Error, Result};

/// Bytes of the largest answer.
const ANSWER_BYTES: usize = 64 << 10;
/// Bytes of the largest preview.
pub(super) const POSTER_BYTES: usize = 5 << 20;
/// Characters of a title or channel name; the rest is cut.
const NAME_CHARS: usize = 200;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct VideoMetadata {
    pub name: String,
    pub author_name: String,
    pub author_url: Option<String>,
    /// Unchecked address of the preview; `outbound` checks it before the fetch.
    pub thumbnail_url: Option<String>,
}

#[derive(Deserialize)]
struct Answer {
    title: String,
    author_name: String,
    #[serde(default)]
    author_url: Option<String>,
    #[serde(default)]
    thumbnail_url: Option<String>,
}

/// Fetches the metadata of a video; `None` where YouTube does not show it: private, removed, or not embeddable.
///
/// # Errors
/// [`Error::Unavailable`] where YouTube does not answer, or answers with anything else.
pub(super) async fn fetch(core: &Core, id: &YoutubeId) -> Result<Option<VideoMetadata>> {
    let address = format!("{}/oembed", core.settings.videos.base_url);
    let url = Url::parse_with_params(&address, [("url", id.page().as_str()), ("format", "json")])
        .map_err(|error| Error::Internal(format!("videos.base_url is no address: {error}")))?;
    let body = match core.outbound.get(url.as_str(), ANSWER_BYTES).await {
        Ok(body) => body,
        Err(OutboundError::Status(400 | 401 | 403 | 404)) => return Ok(None),
        Err(blocked) => return Err(away(&blocked)),
    };
    let answer: Answer = serde_json::from_slice(&body).map_err(|error| away(&error))?;
    Ok(Some(VideoMetadata {
        name: cut(&answer.title).ok_or_else(|| away(&"a title without letters"))?,
        author_name: cut(&answer.author_name).unwrap_or_else(|| "YouTube".to_owned()),
        author_url: answer.author_url.as_deref().and_then(channel),
        thumbnail_url: answer.thumbnail_url,
    }))
}

fn away(why: &dyn std::fmt::Display) -> Error {
    tracing::warn!(%why, "unexpected answer from youtube");
    Error::Unavailable { message: "YouTube does not answer".to_owned(), retry_after_seconds: 30 }
}

/// The text as one line of at most [`NAME_CHARS`]; `None` where no text is left.
pub(super) fn cut(text: &str) -> Option<String> {
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let kept: String = line.trim().chars().take(NAME_CHARS).collect();
    let kept = kept.trim_end();
    (!kept.is_empty()).then(|| kept.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn title_is_one_line_of_limited_length() {
        assert_eq!(cut(" A\ntitle\u{0} ").as_deref(), Some("A title"));
        assert_eq!(cut(" \u{7} "), None);
        assert_eq!(cut(&"가".repeat(300)).map(|name| name.chars().count()), Some(200));
    }
}
