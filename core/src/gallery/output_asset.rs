//! An output: as it is seen, and as a job brings it.

use chrono::{DateTime, Utc};

use crate::Caller;
use crate::assets::{self, AssetKind, ContentHash, Embedded, MediaType};
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
    /// What its worker called it, safe to save under. Told to its owner and admins alone; see [`OutputAsset::told_to`].
    pub name: Option<String>,
    /// Whether it can be shown before it is opened. A film has a poster; sounds and files have nothing to show, and neither
    /// has a picture that is too large to be decoded here.
    pub has_preview: bool,
    /// Whether others could see it, were it published.
    pub is_publishable: bool,
    pub created_at: DateTime<Utc>,
    /// When it will be deleted; `None` for published ones.
    pub expires_at: Option<DateTime<Utc>>,
    /// Whether others who see it are told what it was made with.
    pub shows_origin: bool,
}

impl OutputAsset {
    /// The same without what is its owner's and admins' to know.
    #[must_use]
    pub fn told_to(mut self, caller: &Caller) -> Self {
        if !caller.owns_or_admin(self.user) {
            self.name = None;
        }
        self
    }

    /// What it is called among several that are saved: pictures by when they were made, all else as its worker called it.
    #[must_use]
    pub fn saved_as(&self) -> String {
        match &self.name {
            Some(name) if self.media.kind() != AssetKind::Image => name.clone(),
            _ => format!("{}.{}", self.created_at.format("%Y%m%d_%H%M%S"), self.ending()),
        }
    }

    /// The ending of its name, without the dot.
    #[must_use]
    pub fn ending(&self) -> String {
        let named = self.name.as_deref().and_then(assets::ending_of).filter(|_| self.media == MediaType::Other);
        named.map_or_else(|| self.media.extension().to_owned(), str::to_ascii_lowercase)
    }

    /// What it is served as.
    #[must_use]
    pub fn content_type(&self) -> &'static str {
        assets::content_type(self.media, self.name.as_deref())
    }
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
    /// What its worker called it, safe to save under.
    pub name: Option<String>,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}
