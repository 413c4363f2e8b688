//! Renditions of files, as they are served.

use super::MediaProcessor;
use super::rendition_spec::{CARD, CELL, PANEL, SCREEN};
use crate::assets::asset::{FileKey, Quality};
use crate::assets::media::{AssetKind, MediaType};
use crate::assets::pictures::channel::PictureChannel;
use crate::assets::pictures::picture::{ResizeOptions, Task};
use crate::assets::storage::paths::Form;
use crate::assets::storage::spool::Spool;
use crate::error::{Error, Result};

/// A file in one of its qualities, ready to be served.
#[derive(Debug, Clone)]
pub struct Rendition {
    pub file: Spool,
    pub content_type: &'static str,
}

impl MediaProcessor {
    /// A file in this quality. Smaller renditions are made on first request and then stored.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the file does not exist, its bytes are not of the key's type, or it has no such
    /// rendition: only pictures and readable videos have smaller ones. [`Error::Unavailable`] if it must be made and
    /// too many wait.
    pub async fn rendition(&self, key: &FileKey, quality: Quality) -> Result<Rendition> {
        let spec = match quality {
            Quality::Raw => return self.raw(key).await,
            Quality::W200 => CARD,
            Quality::W480 => CELL,
            Quality::W960 => PANEL,
            Quality::Optimal => SCREEN,
        };
        let kind = key.media.kind();
        if kind != AssetKind::Image && kind != AssetKind::Video {
            return Err(Error::NotFound { what: "file" });
        }
        match self.storage.get_form(&key.content, spec.form).await {
            Ok(bytes) => return Ok(Rendition { file: bytes.into(), content_type: MediaType::Webp.content_type() }),
            // Posters are made when a video is stored, so that no request can start ffmpeg.
            Err(Error::NotFound { .. }) if kind == AssetKind::Image || spec.form != Form::Optimal => {}
            Err(error) => return Err(error),
        }
        let _queued = self.queue()?;
        let (raw, media) = match kind {
            AssetKind::Image => (self.raw(key).await?, key.media),
            _ => (self.poster(key).await?, MediaType::Webp),
        };
        let task = Task::Resize(ResizeOptions {
            sizes: vec![(spec.size, spec.quality)],
            // Animations keep moving on screens; a card shows the first frame.
            of_animations: spec.form != Form::Optimal,
            measured: false,
        });
        let made = self.run(&raw.file, media, task).await?.map_err(|_| Error::NotFound { what: "file" })?;
        let Some(file) = made.files.into_iter().next().flatten() else { return Ok(raw) };
        self.storage.put_form(&key.content, spec.form, file.bytes().await?).await?;
        Ok(Rendition { file, content_type: MediaType::Webp.content_type() })
    }

    /// One part of a picture as a PNG.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the file does not exist or is no picture; [`Error::Unavailable`] if too many wait.
    pub async fn channel(&self, key: &FileKey, channel: PictureChannel) -> Result<Rendition> {
        if key.media.kind() != AssetKind::Image {
            return Err(Error::NotFound { what: "file" });
        }
        let _queued = self.queue()?;
        let raw = self.raw(key).await?;
        let made = self.run(&raw.file, key.media, Task::Channel(channel)).await?;
        let made = made.map_err(|_| Error::NotFound { what: "file" })?;
        let file = made.files.into_iter().next().flatten().ok_or(Error::NotFound { what: "file" })?;
        Ok(Rendition { file, content_type: MediaType::Png.content_type() })
    }

    /// The largest poster of a video. Smaller posters that are missing are made from it.
    async fn poster(&self, key: &FileKey) -> Result<Rendition> {
        let file = self.storage.get_file(&key.content, Form::Optimal).await?;
        Ok(Rendition { file, content_type: MediaType::Webp.content_type() })
    }

    async fn raw(&self, key: &FileKey) -> Result<Rendition> {
        let file = self.storage.get_file(&key.content, Form::Raw).await?;
        if !key.media.fits(file.head()) {
            return Err(Error::NotFound { what: "file" });
        }
        Ok(Rendition { file, content_type: key.media.content_type() })
    }
}
