//! Where files are checked, measured and made smaller: on blocking threads, a few at a time.

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::{Semaphore, SemaphorePermit};

use super::picture::{self, Picture, PictureLimits};
use super::storage::{Form, Storage};
use super::{AssetKind, Key, MediaType, Quality, Stored, sniff};
use crate::error::{Error, Result};
use crate::settings::Settings;

/// The longer side of the WebP that cards show, and its quality from 0 to 100.
const CARD: (u32, f32) = (200, 78.0);
/// The same for screens.
const SCREEN: (u32, f32) = (2048, 85.0);

/// People who may wait for a place; beyond it they are sent away. Outputs of jobs always wait: they were accepted.
const WAITING_PER_PLACE: usize = 32;

/// The storage, together with the work on what it keeps. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Workshop {
    /// The bytes.
    pub storage: Storage,
    limits: PictureLimits,
    places: Arc<Semaphore>,
    queue: Arc<Semaphore>,
}

/// A file in one of its forms, ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendition {
    pub bytes: Bytes,
    pub content_type: &'static str,
}

impl Workshop {
    /// A workshop over this storage.
    #[must_use]
    pub fn new(storage: Storage, settings: &Settings) -> Self {
        let limits = PictureLimits::from(&settings.limits);
        let places = settings.limits.decodes_at_once;
        let queue = Arc::new(Semaphore::new(places.saturating_mul(WAITING_PER_PLACE)));
        Self { storage, limits, places: Arc::new(Semaphore::new(places)), queue }
    }

    /// Keeps a file that a worker made. What it is, its bytes say; a picture that cannot be decoded within the limits
    /// is kept as a plain download, which no browser opens.
    ///
    /// # Errors
    /// Where the storage fails.
    pub async fn store_output(&self, bytes: Bytes) -> Result<Stored> {
        let media = sniff(&bytes);
        if media.kind() != AssetKind::Image {
            return self.keep(bytes, media, None).await;
        }
        match self.measure(&bytes, media).await? {
            Ok(measures) => self.keep(bytes, media, Some(measures)).await,
            Err(_) => self.keep(bytes, MediaType::Other, None).await,
        }
    }

    /// Keeps a picture.
    ///
    /// # Errors
    /// [`Error::FileNotAnImage`] where the bytes are no picture or one beyond the limits, [`Error::Unavailable`] where
    /// too many wait; nothing was kept then.
    pub async fn store_picture(&self, bytes: Bytes) -> Result<Stored> {
        let _queued = self.queue()?;
        let media = sniff(&bytes);
        let measures = self.measure(&bytes, media).await?.map_err(|reason| Error::FileNotAnImage { reason })?;
        self.keep(bytes, media, Some(measures)).await
    }

    /// A file in one of its forms. Smaller forms are made when they are first asked for, and kept.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is no such file, its bytes are not what the key says, or it has no such form:
    /// only pictures have smaller ones. [`Error::Unavailable`] where it has to be made and too many wait.
    pub async fn rendition(&self, key: &Key, quality: Quality) -> Result<Rendition> {
        let (form, (side, compression)) = match quality {
            Quality::Raw => return self.raw(key).await,
            Quality::W200 => (Form::W200, CARD),
            Quality::Optimal => (Form::Optimal, SCREEN),
        };
        if key.media.kind() != AssetKind::Image {
            return Err(Error::NotFound { what: "file" });
        }
        match self.storage.get_form(&key.content, form).await {
            Ok(bytes) => return Ok(Rendition { bytes, content_type: MediaType::Webp.content_type() }),
            Err(Error::NotFound { .. }) => {}
            Err(error) => return Err(error),
        }
        let _queued = self.queue()?;
        let raw = self.raw(key).await?;
        let (bytes, media, limits) = (raw.bytes.clone(), key.media, self.limits);
        let made = self
            .work(move || {
                let picture = Picture::decode(&bytes, media, limits)?;
                // An animation moves on screens; its card is its first frame.
                if picture.frames > 1 && form == Form::Optimal {
                    return Ok(None);
                }
                picture.webp(side, compression).map(Some)
            })
            .await?
            .map_err(|_| Error::NotFound { what: "file" })?;
        let Some(made) = made else { return Ok(raw) };
        let bytes = Bytes::from(made);
        self.storage.put_form(&key.content, form, bytes.clone()).await?;
        Ok(Rendition { bytes, content_type: MediaType::Webp.content_type() })
    }

    async fn raw(&self, key: &Key) -> Result<Rendition> {
        let bytes = self.storage.get(&key.content).await?;
        // A download stays one whatever its bytes look like; nothing else is sent under a type that it is not.
        if key.media != MediaType::Other && sniff(&bytes) != key.media {
            return Err(Error::NotFound { what: "file" });
        }
        Ok(Rendition { bytes, content_type: key.media.content_type() })
    }

    async fn keep(&self, bytes: Bytes, media: MediaType, measures: Option<picture::Measures>) -> Result<Stored> {
        let size_bytes =
            i64::try_from(bytes.len()).map_err(|_| Error::Internal("a file of more than 2^63 bytes".to_owned()))?;
        let content = self.storage.put(bytes).await?;
        let (width, height) = measures.as_ref().map(|measures| (measures.width, measures.height)).unzip();
        Ok(Stored { content, media, size_bytes, width, height, blur_hash: measures.map(|measures| measures.blur_hash) })
    }

    async fn measure(&self, bytes: &Bytes, media: MediaType) -> Result<Result<picture::Measures, String>> {
        let (bytes, limits) = (bytes.clone(), self.limits);
        self.work(move || picture::measure(&bytes, media, limits)).await
    }

    /// A place in the queue, for those who can come again.
    fn queue(&self) -> Result<SemaphorePermit<'_>> {
        self.queue.try_acquire().map_err(|_| Error::Unavailable {
            message: "too many pictures are being worked on".to_owned(),
            retry_after_seconds: 2,
        })
    }

    /// Does the work on a blocking thread, once one of the few places is free.
    async fn work<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let place = Arc::clone(&self.places)
            .acquire_owned()
            .await
            .map_err(|error| Error::Internal(format!("pictures: {error}")))?;
        let done = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(place);
            done
        });
        // A decoder that panics on a broken file must not take the caller with it.
        done.await.map_err(|error| Error::Internal(format!("a picture could not be worked on: {error}")))
    }
}
