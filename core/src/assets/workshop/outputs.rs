//! Files that workers made.

use super::Workshop;
use super::videos::Played;
use crate::assets::asset::Stored;
use crate::assets::embedded::{self, Embedded};
use crate::assets::ffmpeg::remux::Remux;
use crate::assets::media::{AssetKind, MediaType, sniff};
use crate::assets::pictures::picture::{Made, Wrong};
use crate::assets::storage::content_hash::ContentHash;
use crate::assets::storage::paths::Form;
use crate::assets::storage::spool::{self, Spool};
use crate::error::{Error, Result};

impl Workshop {
    /// Keeps a file that a worker made, clean of prompt and graph, and these apart. What it is, its bytes say; a picture
    /// that cannot be decoded within the limits is kept as a plain download, which no browser opens. One that is larger than the limits stays a picture, for its owner alone.
    ///
    /// # Errors
    /// Where the storage fails.
    pub async fn store_output(&self, file: impl Into<Spool>) -> Result<Stored> {
        let file = file.into();
        let media = sniff(file.head());
        match media.kind() {
            AssetKind::Image => {}
            AssetKind::Video | AssetKind::Audio => return self.store_played_output(file, media).await,
            AssetKind::File => return self.keep(&file, media, None).await,
        }
        match self.clean_picture(&file, media).await? {
            Ok(clean) => self.keep_clean(&file, media, clean).await,
            Err(Wrong::Sides { width, height, .. }) => {
                let mut stored = self.keep(&file, media, None).await?;
                (stored.width, stored.height) = (i32::try_from(width).ok(), i32::try_from(height).ok());
                Ok(stored)
            }
            Err(_) => self.keep(&file, MediaType::Other, None).await,
        }
    }

    /// Keeps a clean picture, and what was taken out of its file.
    async fn keep_clean(&self, whole: &Spool, media: MediaType, clean: Made<Spool>) -> Result<Stored> {
        let mut files = clean.files.into_iter();
        let (clean_file, splice) = (files.next().flatten(), files.next().flatten());
        let mut stored = self.keep(clean_file.as_ref().unwrap_or(whole), media, clean.measures).await?;
        stored.embedded = self.keep_apart(&stored.content, splice).await?;
        Ok(stored)
    }

    /// Sound and film of a worker's. Where they cannot be cleaned they are kept as they are, for their owner alone.
    async fn store_played_output(&self, whole: Spool, media: MediaType) -> Result<Stored> {
        let cleaned = match self.remuxed(&whole, Remux::of(media, None), self.media.output_bytes).await? {
            Ok(cleaned) => Some(cleaned),
            Err(reason) => {
                tracing::info!(reason, "an output keeps what it tells, and is its owner's alone");
                None
            }
        };
        let (kept, media) = match &cleaned {
            Some(Played { file, media, .. }) => (file.clone(), *media),
            None => (whole.clone(), media),
        };
        let mut stored = self.keep(&kept, media, None).await?;
        if let Some(played) = cleaned {
            stored.duration_ms = played.length_ms;
            let clean = kept.clone();
            let splice = spool::blocking(move || embedded::split_files(&whole, &clean)).await?;
            stored.embedded = self.keep_apart(&stored.content, splice).await?;
        }
        if media.kind() == AssetKind::Video {
            stored.learn(self.watch(&stored.content, media, &kept).await?);
        }
        Ok(stored)
    }

    /// A file that was stored before files were cleaned, cleaned and stored; its embedded texts are kept apart as those
    /// of an output are.
    ///
    /// # Errors
    /// [`Error::NotFound`] where its bytes are gone; where the storage fails.
    pub async fn clean_again(&self, content: &ContentHash) -> Result<Stored> {
        self.store_output(self.storage.get_file(content, Form::Raw).await?).await
    }

    /// The file of an output as its worker made it.
    ///
    /// # Errors
    /// [`Error::NotFound`] where it is gone; where the storage fails.
    pub async fn original(&self, content: &ContentHash, embedded: &Embedded) -> Result<Spool> {
        let clean = self.storage.get_file(content, Form::Raw).await?;
        let Embedded::Apart(name) = embedded else { return Ok(clean) };
        let splice = self.storage.get_embedded(content, name).await?;
        let whole = spool::blocking(move || embedded::join(&clean, &splice)).await?;
        whole.ok_or_else(|| Error::Internal(format!("what is kept apart of {} is of another file", content.0)))
    }
}
