//! Files in one of their forms, as they are sent.

use super::Workshop;
use super::edition::{CARD, CELL, PANEL, SCREEN};
use crate::assets::asset::{Key, Quality};
use crate::assets::media::{AssetKind, MediaType, sniff};
use crate::assets::pictures::picture::{Editions, Task};
use crate::assets::storage::paths::Form;
use crate::assets::storage::spool::Spool;
use crate::error::{Error, Result};

/// A file in one of its forms, ready to be sent.
#[derive(Debug, Clone)]
pub struct Rendition {
    pub file: Spool,
    pub content_type: &'static str,
}

impl Workshop {
    /// A file in one of its forms. Smaller forms are made when they are first asked for, and kept.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is no such file, its bytes are not what the key says, or it has no such form:
    /// only pictures have smaller ones, and videos that were read. [`Error::Unavailable`] where it has to be made and too many wait.
    pub async fn rendition(&self, key: &Key, quality: Quality) -> Result<Rendition> {
        let edition = match quality {
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
        match self.storage.get_form(&key.content, edition.form).await {
            Ok(bytes) => return Ok(Rendition { file: bytes.into(), content_type: MediaType::Webp.content_type() }),
            // Posters are made when a video is stored: nobody makes ffmpeg run by asking for one.
            Err(Error::NotFound { .. }) if kind == AssetKind::Image || edition.form != Form::Optimal => {}
            Err(error) => return Err(error),
        }
        let _queued = self.queue()?;
        let (raw, media) = match kind {
            AssetKind::Image => (self.raw(key).await?, key.media),
            _ => (self.poster(key).await?, MediaType::Webp),
        };
        let task = Task::Editions(Editions {
            sizes: vec![(edition.size, edition.quality)],
            // An animation moves on screens; its card is its first frame.
            of_animations: edition.form != Form::Optimal,
            measured: false,
        });
        let made = self.work(&raw.file, media, task).await?.map_err(|_| Error::NotFound { what: "file" })?;
        let Some(file) = made.files.into_iter().next().flatten() else { return Ok(raw) };
        self.storage.put_form(&key.content, edition.form, file.bytes().await?).await?;
        Ok(Rendition { file, content_type: MediaType::Webp.content_type() })
    }

    /// The largest poster of a video; smaller ones of videos that were read before these had a use are made of it.
    async fn poster(&self, key: &Key) -> Result<Rendition> {
        let file = self.storage.get_file(&key.content, Form::Optimal).await?;
        Ok(Rendition { file, content_type: MediaType::Webp.content_type() })
    }

    async fn raw(&self, key: &Key) -> Result<Rendition> {
        let file = self.storage.get_file(&key.content, Form::Raw).await?;
        // A download stays one whatever its bytes look like; nothing else is sent under a type that it is not.
        if key.media.kind() != AssetKind::File && sniff(file.head()) != key.media {
            return Err(Error::NotFound { what: "file" });
        }
        Ok(Rendition { file, content_type: key.media.content_type() })
    }
}
