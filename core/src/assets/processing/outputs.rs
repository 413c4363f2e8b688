//! Outputs of workers.

use bytes::Bytes;
use tokio::sync::OwnedSemaphorePermit;

use super::MediaProcessor;
use super::videos::CleanMedia;
use crate::assets::asset::StoredFile;
use crate::assets::clean::{self, GraphInHead};
use crate::assets::embedded::{self, EmbeddedMetadata};
use crate::assets::ffmpeg::remux::Remux;
use crate::assets::media::{AssetKind, MediaType, sniff};
use crate::assets::pictures::picture::{self, PictureError, Task, TaskOutput};
use crate::assets::storage::content_hash::ContentHash;
use crate::assets::storage::paths::Form;
use crate::assets::storage::spool::{self, Spool};
use crate::error::{Error, Result};

/// A picture that is decoded in this process.
struct SmallPicture {
    bytes: Bytes,
    /// Held while it is decoded.
    permit: OwnedSemaphorePermit,
}

impl MediaProcessor {
    /// Stores a worker's file without prompt and graph, and these separately. Only its owner sees a file that is not a
    /// picture, sound or video. A picture that cannot be decoded is
    /// stored as a plain download, which no browser opens. A picture beyond the size limits stays a picture that only
    /// its owner sees.
    ///
    /// # Errors
    /// If the storage fails.
    pub async fn store_output(&self, file: impl Into<Spool>) -> Result<StoredFile> {
        let file = file.into();
        let media = sniff(file.head());
        match media.kind() {
            AssetKind::Image => {}
            AssetKind::Video | AssetKind::Audio => return self.store_media_output(file, media).await,
            AssetKind::Text | AssetKind::File => return self.store_other_output(file, media).await,
        }
        let stored = match self.small_picture(&file, media).await? {
            Some(small) => self.store_small(&file, media, small).await?,
            None => match self.clean_picture(&file, media).await? {
                Ok(clean) => Ok(self.store_clean(&file, media, clean).await?),
                Err(error) => Err(error),
            },
        };
        match stored {
            Ok(stored) => Ok(stored),
            Err(PictureError::Sides { width, height, .. }) => {
                let mut stored = self.store(&file, media, None).await?;
                (stored.width, stored.height) = (i32::try_from(width).ok(), i32::try_from(height).ok());
                Ok(stored)
            }
            Err(_) => self.store(&file, MediaType::Other, None).await,
        }
    }

    /// The bytes of a picture that is decoded in this process. `None` for other pictures, and for bitmaps, which are always
    /// encoded again.
    async fn small_picture(&self, file: &Spool, media: MediaType) -> Result<Option<SmallPicture>> {
        if media == MediaType::Bmp || !picture::is_short(file.len()) {
            return Ok(None);
        }
        let permit = self.permit().await?;
        let bytes = super::small_bytes(file, media, &Task::Clean).await?;
        Ok(bytes.map(|bytes| SmallPicture { bytes, permit }))
    }

    /// Stores a small picture while it is decoded: a write waits for the disk. If it cannot be decoded or is encoded again,
    /// no row names what was written, and the upkeep deletes it.
    async fn store_small(
        &self,
        whole: &Spool,
        media: MediaType,
        SmallPicture { bytes, permit }: SmallPicture,
    ) -> Result<std::result::Result<StoredFile, PictureError>> {
        let (limits, original) = (self.limits, bytes.clone());
        let stripped = super::on_thread(move || {
            let stripped = picture::strip(&original, media, limits)?;
            let splice = embedded::split(&original, &stripped);
            Ok::<_, PictureError>((Bytes::from(stripped), splice))
        });
        let (stripped, splice) = match stripped.await? {
            Ok(stripped) => stripped,
            Err(error) => return Ok(Err(error)),
        };
        let file = Spool::from(stripped.clone());
        let measured = super::on_thread(move || {
            let (measures, encoded) = picture::measure_stripped(&bytes, &stripped, media, limits)?;
            drop(permit);
            let encoded = encoded.map(|encoded| {
                let splice = embedded::split(&bytes, &encoded);
                vec![Some(encoded), splice]
            });
            Ok::<_, PictureError>((measures, encoded))
        });
        let stored = self.store_with_splice(&file, media, splice.map(Spool::from));
        let (measured, stored) = tokio::join!(measured, stored);
        match measured? {
            Ok((measures, None)) => {
                let mut stored = stored?;
                stored.add_measures(Some(measures));
                Ok(Ok(stored))
            }
            Ok((measures, Some(files))) => {
                let clean = TaskOutput { measures: Some(measures), files }.spooled();
                Ok(Ok(self.store_clean(whole, media, clean).await?))
            }
            Err(error) => Ok(Err(error)),
        }
    }

    /// Stores a clean picture, and the metadata that was removed from it.
    async fn store_clean(&self, whole: &Spool, media: MediaType, clean: TaskOutput<Spool>) -> Result<StoredFile> {
        let mut files = clean.files.into_iter();
        let (clean_file, splice) = (files.next().flatten(), files.next().flatten());
        let mut stored = self.store_with_splice(clean_file.as_ref().unwrap_or(whole), media, splice).await?;
        stored.add_measures(clean.measures);
        Ok(stored)
    }

    async fn store_with_splice(&self, file: &Spool, media: MediaType, splice: Option<Spool>) -> Result<StoredFile> {
        let content = file.hash().await?;
        // At the same time: each write waits for the disk.
        let (mut stored, embedded) =
            tokio::try_join!(self.store_as(content.clone(), file, media, None), self.store_splice(&content, splice))?;
        stored.embedded = embedded;
        Ok(stored)
    }

    /// Stores a worker's file of another kind, without prompt and graph if it is known where they are.
    async fn store_other_output(&self, whole: Spool, media: MediaType) -> Result<StoredFile> {
        let file = whole.clone();
        let splice = spool::blocking(move || {
            Ok(match clean::without_graph(&file, media)? {
                GraphInHead::Unknown => None,
                GraphInHead::Absent => Some((file, None)),
                GraphInHead::Removed(clean) => {
                    let splice = embedded::split_files(&file, &clean)?;
                    Some((clean, splice))
                }
            })
        });
        let Some((clean, splice)) = splice.await? else { return self.store(&whole, media, None).await };
        let mut stored = self.store(&clean, media, None).await?;
        stored.embedded = self.store_splice(&stored.content, splice).await?;
        Ok(stored)
    }

    /// Stores a worker's sound or video. If it cannot be cleaned, it is stored unchanged and only its owner sees it.
    async fn store_media_output(&self, whole: Spool, media: MediaType) -> Result<StoredFile> {
        let cleaned = match self.remuxed(&whole, Remux::of(media, None), self.media.output_bytes).await? {
            Ok(cleaned) => Some(cleaned),
            Err(reason) => {
                tracing::info!(reason, "cannot clean an output; only its owner can see it");
                None
            }
        };
        let (kept, media) = match &cleaned {
            Some(CleanMedia { file, media, .. }) => (file.clone(), *media),
            None => (whole.clone(), media),
        };
        let mut stored = self.store(&kept, media, None).await?;
        if let Some(clean) = cleaned {
            stored.duration_ms = clean.length_ms;
            let clean_file = kept.clone();
            let splice = spool::blocking(move || embedded::split_files(&whole, &clean_file)).await?;
            stored.embedded = self.store_splice(&stored.content, splice).await?;
        }
        if media.kind() == AssetKind::Video {
            stored.add_measures(self.inspect(&stored.content, media, &kept).await?);
        }
        Ok(stored)
    }

    /// Cleans a file that was stored before files were cleaned, like an output.
    ///
    /// # Errors
    /// [`Error::NotFound`] if its bytes are gone; if the storage fails.
    pub async fn reclean(&self, content: &ContentHash) -> Result<StoredFile> {
        self.store_output(self.storage.get_file(content, Form::Raw).await?).await
    }

    /// The file of an output exactly as its worker made it.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it is gone; if the storage fails.
    pub async fn original(&self, content: &ContentHash, embedded: &EmbeddedMetadata) -> Result<Spool> {
        let clean = self.storage.get_file(content, Form::Raw).await?;
        let EmbeddedMetadata::Separate(name) = embedded else { return Ok(clean) };
        let splice = self.storage.get_embedded(content, name).await?;
        let whole = spool::blocking(move || embedded::join(&clean, &splice)).await?;
        whole.ok_or_else(|| Error::Internal(format!("the splice of {} belongs to another file", content.0)))
    }
}
