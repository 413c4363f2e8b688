//! Where files are checked, measured and made smaller, a few at a time: small pictures on blocking threads, all others
//! in processes of their own (see [`apart`] and `ffmpeg`). Whatever is decoded in this program comes through here.

mod edition;
mod outputs;
pub(in crate::assets) mod renditions;
pub(in crate::assets) mod turns;
mod uploads;
mod videos;

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::{Semaphore, SemaphorePermit};

use super::asset::Stored;
use super::embedded::Embedded;
use super::ffmpeg::Ffmpeg;
use super::media::{AssetKind, MediaType, sniff};
use super::pictures::picture::{self, Editions, Made, Measures, PictureLimits, Task, Wrong};
use super::pictures::{apart, perform};
use super::storage::Storage;
use super::storage::content_hash::ContentHash;
use super::storage::paths::Form;
use super::storage::spool::{self, Spool};
use crate::error::{Error, Result};
use crate::settings::{Environment, Settings};
use turns::Turns;

/// People who may wait for a place; beyond it they are sent away. Outputs of jobs always wait: they were accepted.
const WAITING_PER_PLACE: usize = 32;

/// The formats of pictures that are taken, as people are told.
const PICTURES: &str = "PNG, JPEG, WebP, GIF and BMP";

/// How large and long sound and film may be.
#[derive(Debug, Clone, Copy)]
struct MediaLimits {
    output_bytes: u64,
    seconds: u32,
}

/// The storage, together with the work on what it keeps. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Workshop {
    /// The bytes.
    pub storage: Storage,
    limits: PictureLimits,
    media: MediaLimits,
    places: Arc<Semaphore>,
    queue: Arc<Semaphore>,
    /// Whose uploads are worked on.
    pub(super) turns: Turns,
    ffmpeg: Option<Ffmpeg>,
    videos: Videos,
    /// Places of ffmpeg, which is more work than a picture.
    video_places: Arc<Semaphore>,
}

/// What this node can do for those who look at a file.
#[derive(Debug, Clone, Copy)]
pub struct Means {
    limits: PictureLimits,
    videos: Videos,
}

impl Means {
    /// Whether there is a smaller picture of a file of this kind and size, or a poster. A picture whose size nobody noted is
    /// within the limits.
    #[must_use]
    pub fn has_preview(&self, kind: AssetKind, size: Option<(i32, i32)>) -> bool {
        let side = |side: i32| u32::try_from(side).unwrap_or(u32::MAX);
        match kind {
            AssetKind::Image => size.is_none_or(|(width, height)| self.limits.check(side(width), side(height)).is_ok()),
            AssetKind::Video => size.is_some(),
            AssetKind::Audio | AssetKind::File => false,
        }
    }

    /// Whether a file of this kind can be cleaned of what it tells beside what it shows.
    #[must_use]
    pub fn can_clean(&self, kind: AssetKind) -> bool {
        match kind {
            AssetKind::Image => true,
            AssetKind::Video | AssetKind::Audio => self.videos == Videos::Read,
            AssetKind::File => false,
        }
    }
}

/// Whether this node reads videos.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Videos {
    /// They get sizes, lengths and posters.
    Read,
    /// ffmpeg is not on this machine.
    NoPrograms,
    /// The settings say that they are left as they are.
    Off,
}

impl Stored {
    fn learn(&mut self, measures: Option<Measures>) {
        let Some(Measures { width, height, blur_hash, duration_ms, pixels }) = measures else { return };
        (self.width, self.height) = (Some(width), Some(height));
        (self.blur_hash, self.duration_ms, self.pixels) = (Some(blur_hash), duration_ms, pixels);
    }
}

impl Workshop {
    /// A workshop over this storage.
    #[must_use]
    pub fn new(storage: Storage, settings: &Settings) -> Self {
        let limits = PictureLimits::from(&settings.limits);
        let places = settings.limits.decodes_at_once;
        let queue = Arc::new(Semaphore::new(places.saturating_mul(WAITING_PER_PLACE)));
        let ffmpeg = Ffmpeg::find(&settings.ffmpeg, &Environment::of_process());
        let videos = match (settings.ffmpeg.enabled, &ffmpeg) {
            (false, _) => Videos::Off,
            (true, None) => Videos::NoPrograms,
            (true, Some(_)) => Videos::Read,
        };
        Self {
            storage,
            limits,
            media: MediaLimits {
                output_bytes: settings.limits.output_file_bytes,
                seconds: settings.limits.media_seconds,
            },
            places: Arc::new(Semaphore::new(places)),
            queue,
            turns: Turns::default(),
            ffmpeg,
            videos,
            video_places: Arc::new(Semaphore::new(settings.ffmpeg.at_once)),
        }
    }

    /// What this node can do for those who look at a file.
    #[must_use]
    pub fn means(&self) -> Means {
        Means { limits: self.limits, videos: self.videos }
    }

    /// Whether this node reads videos.
    #[must_use]
    pub fn videos(&self) -> Videos {
        self.videos
    }

    async fn clean_picture(&self, file: &Spool, media: MediaType) -> Result<std::result::Result<Made<Spool>, Wrong>> {
        match picture::taken(file.head(), media) {
            Ok(()) => self.work(file, media, Task::Clean).await,
            Err(wrong) => Ok(Err(wrong)),
        }
    }

    /// The digest of the pixels of a stored picture with one frame; `None` for all other files, and where it cannot be read.
    ///
    /// # Errors
    /// [`Error::NotFound`] where its bytes are gone; where the storage fails.
    pub(in crate::assets) async fn pixels_of(&self, content: &ContentHash) -> Result<Option<ContentHash>> {
        let file = self.storage.get_file(content, Form::Raw).await?;
        let media = sniff(file.head());
        if media.kind() != AssetKind::Image {
            return Ok(None);
        }
        let measure = Task::Editions(Editions { sizes: Vec::new(), of_animations: false, measured: true });
        let made = self.work(&file, media, measure).await?;
        Ok(made.ok().and_then(|made| made.measures).and_then(|measures| measures.pixels))
    }

    /// Keeps what was taken out of a file.
    async fn keep_apart(&self, content: &ContentHash, splice: Option<Spool>) -> Result<Embedded> {
        match splice {
            Some(splice) => Ok(Embedded::Apart(self.storage.put_embedded(content, &splice).await?)),
            None => Ok(Embedded::Nothing),
        }
    }

    pub(in crate::assets) async fn keep(
        &self,
        file: &Spool,
        media: MediaType,
        measures: Option<Measures>,
    ) -> Result<Stored> {
        let size_bytes =
            i64::try_from(file.len()).map_err(|_| Error::Internal("a file of more than 2^63 bytes".to_owned()))?;
        let content = self.storage.put_file(file).await?;
        let embedded = Embedded::Inside;
        let (width, height, blur_hash, duration_ms, pixels) = (None, None, None, None, None);
        let mut stored = Stored { content, media, size_bytes, width, height, blur_hash, duration_ms, embedded, pixels };
        stored.learn(measures);
        Ok(stored)
    }

    /// A place in the queue, for those who can come again.
    pub(in crate::assets) fn queue(&self) -> Result<SemaphorePermit<'_>> {
        self.queue.try_acquire().map_err(|_| Error::Unavailable {
            message: "too many pictures are being worked on".to_owned(),
            retry_after_seconds: 2,
        })
    }

    /// Does the work once one of the few places is free: a small picture is cleaned on a blocking thread, all else is done
    /// in a process of its own.
    pub(in crate::assets) async fn work(
        &self,
        file: &Spool,
        media: MediaType,
        task: Task,
    ) -> Result<std::result::Result<Made<Spool>, Wrong>> {
        let place = Arc::clone(&self.places)
            .acquire_owned()
            .await
            .map_err(|error| Error::Internal(format!("pictures: {error}")))?;
        let bytes = match apart::program() {
            None => file.bytes().await?,
            Some(program) => match small(file, media, &task).await? {
                Some(bytes) => bytes,
                None => return apart::perform(program, file, media, self.limits, task).await,
            },
        };
        let limits = self.limits;
        let done = tokio::task::spawn_blocking(move || {
            let done = perform::perform(&bytes, media, limits, &task);
            drop(place);
            done
        });
        // A decoder that panics on a broken file must not take the caller with it.
        let done = done.await.map_err(|error| Error::Internal(format!("a picture could not be worked on: {error}")))?;
        Ok(done.map(Made::spooled))
    }
}

/// The bytes of a picture that takes so little that it may be worked on in this process. Making smaller ones of it never
/// does: encoding a WebP takes several times the picture, and beside that the start of a process is nothing.
async fn small(file: &Spool, media: MediaType, task: &Task) -> Result<Option<Bytes>> {
    if matches!(task, Task::Editions(_)) || !picture::is_short(file.len()) {
        return Ok(None);
    }
    let bytes = file.bytes().await?;
    spool::blocking(move || Ok(picture::is_small(&bytes, media).then_some(bytes))).await
}

impl From<Wrong> for Error {
    fn from(wrong: Wrong) -> Self {
        match wrong {
            Wrong::Empty => Self::FileEmpty,
            Wrong::Cut => Self::FileTruncated,
            Wrong::Format(format) => Self::FileFormatUnsupported { format, taken: PICTURES },
            Wrong::Sides { reason, .. } => Self::FileSidesUnsupported { reason },
            Wrong::Blank => Self::invalid("image", "the mask is empty: nothing is drawn"),
            Wrong::Unreadable(reason) => Self::FileNotAnImage { reason },
        }
    }
}

#[cfg(test)]
mod tests;
