//! Checks, measures and resizes files, a few at a time: small pictures on blocking threads, all others in processes of
//! their own (see [`sandbox`] and `ffmpeg`). All decoding goes through here.

mod outputs;
mod rendition_spec;
pub(in crate::assets) mod renditions;
mod uploads;
pub(in crate::assets) mod user_queue;
mod videos;

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

use super::asset::StoredFile;
use super::embedded::EmbeddedMetadata;
use super::ffmpeg::Ffmpeg;
use super::media::{AssetKind, MediaType, sniff};
use super::pictures::picture::{self, Measures, PictureError, PictureLimits, ResizeOptions, Task, TaskOutput};
use super::pictures::{perform, sandbox};
use super::storage::Storage;
use super::storage::content_hash::ContentHash;
use super::storage::paths::Form;
use super::storage::spool::{self, Spool};
use crate::error::{Error, Result};
use crate::settings::{Environment, Settings};
use user_queue::UserQueues;

/// Uploads that may wait per permit; further ones are refused. Outputs of jobs always wait, because the jobs were
/// accepted.
const WAITING_PER_PERMIT: usize = 32;

/// Accepted picture formats, for error messages.
const PICTURES: &str = "PNG, JPEG, WebP, GIF and BMP";

/// Limits of sounds and videos.
#[derive(Debug, Clone, Copy)]
struct MediaLimits {
    output_bytes: u64,
    seconds: u32,
}

/// The storage, and the processing of the files in it. Cheap to clone.
#[derive(Debug, Clone)]
pub struct MediaProcessor {
    pub storage: Storage,
    limits: PictureLimits,
    media: MediaLimits,
    permits: Arc<Semaphore>,
    queue: Arc<Semaphore>,
    /// Serializes the uploads of each user.
    pub(super) user_queues: UserQueues,
    ffmpeg: Option<Ffmpeg>,
    videos: VideoSupport,
    /// Permits of ffmpeg, which needs more resources than a picture.
    video_permits: Arc<Semaphore>,
}

/// What this node can do with files.
#[derive(Debug, Clone, Copy)]
pub struct MediaCapabilities {
    limits: PictureLimits,
    videos: VideoSupport,
}

impl MediaCapabilities {
    /// Whether a file of this kind and size has a smaller rendition or a poster. A picture of unknown size is within
    /// the limits.
    #[must_use]
    pub fn has_preview(&self, kind: AssetKind, size: Option<(i32, i32)>) -> bool {
        let side = |side: i32| u32::try_from(side).unwrap_or(u32::MAX);
        match kind {
            AssetKind::Image => size.is_none_or(|(width, height)| self.limits.check(side(width), side(height)).is_ok()),
            AssetKind::Video => size.is_some(),
            AssetKind::Audio | AssetKind::Text | AssetKind::File => false,
        }
    }

    /// Whether metadata can be removed from files of this kind.
    #[must_use]
    pub fn can_clean(&self, kind: AssetKind) -> bool {
        match kind {
            // A text has no metadata.
            AssetKind::Image | AssetKind::Text => true,
            AssetKind::Video | AssetKind::Audio => self.videos == VideoSupport::Enabled,
            AssetKind::File => false,
        }
    }
}

/// Whether this node can read videos.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VideoSupport {
    /// Videos get sizes, durations and posters.
    Enabled,
    /// ffmpeg is not installed.
    FfmpegMissing,
    /// Disabled in the settings.
    Disabled,
}

impl StoredFile {
    fn add_measures(&mut self, measures: Option<Measures>) {
        let Some(Measures { width, height, blur_hash, duration_ms, pixels }) = measures else { return };
        (self.width, self.height) = (Some(width), Some(height));
        (self.blur_hash, self.duration_ms, self.pixels) = (Some(blur_hash), duration_ms, pixels);
    }
}

impl MediaProcessor {
    #[must_use]
    pub fn new(storage: Storage, settings: &Settings) -> Self {
        let limits = PictureLimits::from(&settings.limits);
        let permits = settings.limits.decodes_at_once;
        let queue = Arc::new(Semaphore::new(permits.saturating_mul(WAITING_PER_PERMIT)));
        let ffmpeg = Ffmpeg::find(&settings.ffmpeg, &Environment::of_process());
        let videos = match (settings.ffmpeg.enabled, &ffmpeg) {
            (false, _) => VideoSupport::Disabled,
            (true, None) => VideoSupport::FfmpegMissing,
            (true, Some(_)) => VideoSupport::Enabled,
        };
        Self {
            storage,
            limits,
            media: MediaLimits {
                output_bytes: settings.limits.output_file_bytes,
                seconds: settings.limits.media_seconds,
            },
            permits: Arc::new(Semaphore::new(permits)),
            queue,
            user_queues: UserQueues::default(),
            ffmpeg,
            videos,
            video_permits: Arc::new(Semaphore::new(settings.ffmpeg.at_once)),
        }
    }

    #[must_use]
    pub fn capabilities(&self) -> MediaCapabilities {
        MediaCapabilities { limits: self.limits, videos: self.videos }
    }

    #[must_use]
    pub fn video_support(&self) -> VideoSupport {
        self.videos
    }

    async fn clean_picture(
        &self,
        file: &Spool,
        media: MediaType,
    ) -> Result<std::result::Result<TaskOutput<Spool>, PictureError>> {
        match picture::check_head(file.head(), media) {
            Ok(()) => self.run(file, media, Task::Clean).await,
            Err(error) => Ok(Err(error)),
        }
    }

    /// The pixel digest of a stored picture with one frame; `None` for other files and unreadable ones.
    ///
    /// # Errors
    /// [`Error::NotFound`] if its bytes are gone; if the storage fails.
    pub(in crate::assets) async fn pixels_of(&self, content: &ContentHash) -> Result<Option<ContentHash>> {
        let file = self.storage.get_file(content, Form::Raw).await?;
        let media = sniff(file.head());
        if media.kind() != AssetKind::Image {
            return Ok(None);
        }
        let measure = Task::Resize(ResizeOptions { sizes: Vec::new(), of_animations: false, measured: true });
        let made = self.run(&file, media, measure).await?;
        Ok(made.ok().and_then(|made| made.measures).and_then(|measures| measures.pixels))
    }

    /// Stores the metadata that was removed from a file.
    async fn store_splice(&self, content: &ContentHash, splice: Option<Spool>) -> Result<EmbeddedMetadata> {
        match splice {
            Some(splice) => Ok(EmbeddedMetadata::Separate(self.storage.put_embedded(content, &splice).await?)),
            None => Ok(EmbeddedMetadata::None),
        }
    }

    pub(in crate::assets) async fn store(
        &self,
        file: &Spool,
        media: MediaType,
        measures: Option<Measures>,
    ) -> Result<StoredFile> {
        self.store_as(file.hash().await?, file, media, measures).await
    }

    /// Stores a file whose hash is known.
    async fn store_as(
        &self,
        content: ContentHash,
        file: &Spool,
        media: MediaType,
        measures: Option<Measures>,
    ) -> Result<StoredFile> {
        let size_bytes =
            i64::try_from(file.len()).map_err(|_| Error::Internal("a file of more than 2^63 bytes".to_owned()))?;
        self.storage.put_file(&content, file).await?;
        let embedded = EmbeddedMetadata::InFile;
        let (width, height, blur_hash, duration_ms, pixels) = (None, None, None, None, None);
        let mut stored =
            StoredFile { content, media, size_bytes, width, height, blur_hash, duration_ms, embedded, pixels };
        stored.add_measures(measures);
        Ok(stored)
    }

    /// A place in the waiting queue of uploads, which can be retried.
    pub(in crate::assets) fn queue(&self) -> Result<SemaphorePermit<'_>> {
        self.queue.try_acquire().map_err(|_| Error::Unavailable {
            message: "too many pictures are being processed".to_owned(),
            retry_after_seconds: 2,
        })
    }

    /// Runs a task once a permit is free. Small pictures are cleaned on a blocking thread, all else runs in a process
    /// of its own.
    pub(in crate::assets) async fn run(
        &self,
        file: &Spool,
        media: MediaType,
        task: Task,
    ) -> Result<std::result::Result<TaskOutput<Spool>, PictureError>> {
        let permit = self.permit().await?;
        let bytes = match sandbox::program() {
            None => file.bytes().await?,
            Some(program) => match small_bytes(file, media, &task).await? {
                Some(bytes) => bytes,
                None => return sandbox::perform(program, file, media, self.limits, task).await,
            },
        };
        let limits = self.limits;
        let done = on_thread(move || {
            let done = perform::perform(&bytes, media, limits, &task);
            drop(permit);
            done
        });
        Ok(done.await?.map(TaskOutput::spooled))
    }

    async fn permit(&self) -> Result<OwnedSemaphorePermit> {
        let permit = Arc::clone(&self.permits).acquire_owned().await;
        permit.map_err(|error| Error::Internal(format!("pictures: {error}")))
    }
}

/// Decodes on a blocking thread. A decoder that panics on a broken file must not take down the caller.
async fn on_thread<T: Send + 'static>(decode: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let done = tokio::task::spawn_blocking(decode).await;
    done.map_err(|error| Error::Internal(format!("cannot process a picture: {error}")))
}

/// The bytes of a picture that is small enough to be processed in this process. Resizing never is: encoding a WebP
/// takes several times the picture's memory, so that starting a process does not matter.
async fn small_bytes(file: &Spool, media: MediaType, task: &Task) -> Result<Option<Bytes>> {
    if matches!(task, Task::Resize(_)) || !picture::is_short(file.len()) {
        return Ok(None);
    }
    let bytes = file.bytes().await?;
    spool::blocking(move || Ok(picture::is_small(&bytes, media).then_some(bytes))).await
}

impl From<PictureError> for Error {
    fn from(wrong: PictureError) -> Self {
        match wrong {
            PictureError::Empty => Self::FileEmpty,
            PictureError::Cut => Self::FileTruncated,
            PictureError::Format(format) => Self::FileFormatUnsupported { format, taken: PICTURES },
            PictureError::Sides { reason, .. } => Self::FileSidesUnsupported { reason },
            PictureError::Blank => Self::invalid("image", "the mask is empty: nothing is drawn"),
            PictureError::Unreadable(reason) => Self::FileNotAnImage { reason },
        }
    }
}

#[cfg(test)]
mod tests;
