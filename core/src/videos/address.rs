//! Addresses of videos, in all forms that users copy.

use reqwest::Url;
use serde::Serialize;

/// YouTube's id of a video: eleven letters, digits, `-` and `_`, which need no escaping in addresses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, sqlx::Type)]
#[sqlx(transparent)]
pub struct YoutubeId(String);

impl YoutubeId {
    /// The id in a text that is nothing else.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let is_id = text.len() == 11 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        is_id.then(|| Self(text.to_owned()))
    }

    /// The id in an address of YouTube: of a page, a short link, a short, a live stream or a frame.
    #[must_use]
    pub fn in_address(address: &str) -> Option<Self> {
        let address = address.trim();
        // Browsers hide the scheme in the address bar.
        let address = if address.contains("://") { address.to_owned() } else { format!("https://{address}") };
        let url = Url::parse(&address).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
        let mut parts = url.path_segments()?.filter(|part| !part.is_empty());
        let host = url.host_str()?;
        match host.strip_prefix("www.").unwrap_or(host) {
            "youtu.be" => Self::new(parts.next()?),
            "youtube.com" | "m.youtube.com" | "music.youtube.com" | "youtube-nocookie.com" => match parts.next()? {
                "watch" => Self::new(&url.query_pairs().find(|(name, _)| name == "v")?.1),
                "shorts" | "live" | "embed" | "v" => Self::new(parts.next()?),
                _ => None,
            },
            _ => None,
        }
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Address of the video's page.
    #[must_use]
    pub fn page(&self) -> String {
        format!("https://www.youtube.com/watch?v={}", self.0)
    }

    /// Address for our frames: the video on the host that sets no cookies.
    #[must_use]
    pub fn frame(&self) -> String {
        format!("https://www.youtube-nocookie.com/embed/{}", self.0)
    }
}

/// Validates the address of a channel on YouTube.
pub(super) fn channel(address: &str) -> Option<String> {
    let url = Url::parse(address).ok().filter(|url| url.scheme() == "https")?;
    let is_ours = matches!(url.host_str()?, "www.youtube.com" | "youtube.com") && url.port().is_none();
    (is_ours && url.username().is_empty() && url.password().is_none() && url.as_str().len() <= 300)
        .then(|| url.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_of_an_address_have_the_same_id() {
        for address in [
            "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
            "https://youtube.com/watch?feature=share&v=dQw4w9WgXcQ&t=42s",
            "http://m.youtube.com/watch?v=dQw4w9WgXcQ#t=3",
            "https://music.youtube.com/watch?v=dQw4w9WgXcQ&list=RD",
            "https://youtu.be/dQw4w9WgXcQ?si=abc",
            "https://www.youtube.com/shorts/dQw4w9WgXcQ",
            "https://www.youtube.com/live/dQw4w9WgXcQ?feature=share",
            "https://www.youtube.com/embed/dQw4w9WgXcQ?autoplay=1",
            "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ",
            "  youtu.be/dQw4w9WgXcQ ",
            "www.youtube.com/watch?v=dQw4w9WgXcQ",
        ] {
            assert_eq!(YoutubeId::in_address(address), YoutubeId::new("dQw4w9WgXcQ"), "{address}");
        }
    }

    #[test]
    fn other_addresses_have_no_id() {
        for address in [
            "",
            "dQw4w9WgXcQ",
            "https://vimeo.com/76979871",
            "https://www.youtube.com/",
            "https://www.youtube.com/@channel",
            "https://www.youtube.com/playlist?list=PLdQw4w9WgXcQ",
            "https://www.youtube.com/watch?v=short",
            "https://www.youtube.com/watch?v=dQw4w9WgXcQ%22%3E",
            "https://youtu.be/dQw4w9Wg\"cQ",
            "https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ",
            "https://evil.example/youtu.be/dQw4w9WgXcQ",
            "javascript:alert('https://youtu.be/dQw4w9WgXcQ')",
            "ftp://youtu.be/dQw4w9WgXcQ",
        ] {
            assert_eq!(YoutubeId::in_address(address), None, "{address}");
        }
    }

    #[test]
    fn only_channels_on_youtube_are_linked() {
        assert_eq!(channel("https://www.youtube.com/@verdi").as_deref(), Some("https://www.youtube.com/@verdi"));
        for address in [
            "javascript:alert(1)",
            "http://www.youtube.com/@verdi",
            "https://www.youtube.com.evil.example/@verdi",
            "https://www.youtube.com:8443/@verdi",
            "https://me@www.youtube.com/@verdi",
        ] {
            assert_eq!(channel(address), None, "{address}");
        }
    }
}
