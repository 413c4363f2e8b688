//! An output as lists and views read it, and a new one as a job creates it.

use chrono::{DateTime, Utc};

use crate::Caller;
use crate::assets::{self, AssetKind, ContentHash, EmbeddedMetadata, MediaType};
use crate::ids::{JobId, OutputAssetId, UserId};

/// A picture, video, sound or file that a job made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputAsset {
    pub id: OutputAssetId,
    pub user: UserId,
    /// Name of the owner, for cards.
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
    /// Duration of its job in milliseconds.
    pub ran_ms: i64,
    /// BlurHash of pictures and posters.
    pub blur_hash: Option<String>,
    /// Of videos that ffmpeg could read.
    pub duration_ms: Option<i64>,
    /// Where the prompt and the graph are stored that the worker embedded.
    pub embedded: EmbeddedMetadata,
    /// Safe version of the name that the worker chose. Only for the owner and admins; see [`OutputAsset::redacted_for`].
    pub name: Option<String>,
    /// Whether it has a preview. Videos have a poster; sounds, files and pictures too large to decode have no preview.
    pub has_preview: bool,
    /// Whether others could see it once published.
    pub is_publishable: bool,
    pub created_at: DateTime<Utc>,
    /// When it expires; `None` for published outputs.
    pub expires_at: Option<DateTime<Utc>>,
    /// Whether others see what made it.
    pub shows_origin: bool,
}

impl OutputAsset {
    /// The output without the fields that only its owner and admins may see.
    #[must_use]
    pub fn redacted_for(mut self, caller: &Caller) -> Self {
        if !caller.owns_or_admin(self.user) {
            self.name = None;
        }
        self
    }

    /// Name in an archive of several outputs: the time of creation for pictures, the worker's name for others.
    #[must_use]
    pub fn saved_as(&self) -> String {
        match &self.name {
            Some(name) if self.media.kind() != AssetKind::Image => name.clone(),
            _ => format!("{}.{}", self.created_at.format("%Y%m%d_%H%M%S"), self.ending()),
        }
    }

    /// File extension without the dot.
    #[must_use]
    pub fn ending(&self) -> String {
        let named = self.name.as_deref().and_then(assets::ending_of).filter(|_| self.media == MediaType::Other);
        named.map_or_else(|| self.media.extension().to_owned(), str::to_ascii_lowercase)
    }

    /// The media type in responses.
    #[must_use]
    pub fn content_type(&self) -> &'static str {
        assets::content_type(self.media, self.name.as_deref())
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewOutputAsset {
    pub id: OutputAssetId,
    pub user: UserId,
    pub job: JobId,
    pub node_id: String,
    /// Index among the job's outputs, from 0.
    pub position: i32,
    pub content: ContentHash,
    pub media: MediaType,
    pub size_bytes: i64,
    pub width: Option<i32>,
    pub height: Option<i32>,
    pub ran_ms: i64,
    /// BlurHash of pictures and posters.
    pub blur_hash: Option<String>,
    /// Of videos that ffmpeg could read.
    pub duration_ms: Option<i64>,
    /// Where the prompt and the graph are stored that the worker embedded.
    pub embedded: EmbeddedMetadata,
    /// Safe version of the name that the worker chose.
    pub name: Option<String>,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}
