//! Where files are checked, measured and made smaller, a few at a time: small pictures on blocking threads, all others
//! in processes of their own (see [`apart`] and `video`). Whatever is decoded in this program comes through here.

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::{Semaphore, SemaphorePermit};

use super::asset::{Key, Quality, Stored};
use super::content_hash::ContentHash;
use super::embedded::{self, Embedded};
use super::media::{AssetKind, MediaType, sniff};
use super::picture::{self, Editions, Made, Measures, PictureLimits, Task, Wrong};
use super::spool::{self, Spool};
use super::storage::{Form, Storage};
use super::turns::Turns;
use super::video::{Facts, Ffmpeg, Remux};
use super::{apart, media};
use crate::error::{Error, Result};
use crate::settings::{Environment, Settings};

/// A WebP that is made of a picture.
#[derive(Clone, Copy)]
struct Edition {
    form: Form,
    /// What it fits, across and down, in pixels.
    size: (u32, u32),
    /// From 0 to 100.
    quality: f32,
}

const CARD: Edition = Edition { form: Form::W200, size: (200, 200), quality: 78.0 };
/// Grids cut what is more than twice as high as wide.
const CELL: Edition = Edition { form: Form::W480, size: (480, 960), quality: 75.0 };
const PANEL: Edition = Edition { form: Form::W960, size: (960, 1920), quality: 80.0 };
const SCREEN: Edition = Edition { form: Form::Optimal, size: (2048, 2048), quality: 85.0 };

/// People who may wait for a place; beyond it they are sent away. Outputs of jobs always wait: they were accepted.
const WAITING_PER_PLACE: usize = 32;

/// The formats that are taken, as people are told.
const PICTURES: &str = "PNG, JPEG, WebP, GIF and BMP";
const PLAYED: &str = "MP4, WebM, MP3, M4A, FLAC, Ogg and WAV";

/// How large and long sound and film may be.
#[derive(Debug, Clone, Copy)]
struct MediaLimits {
    output_bytes: u64,
    seconds: u32,
}

/// Sound or film that was cleaned.
struct Played {
    file: Spool,
    media: MediaType,
    length_ms: Option<i64>,
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

/// A file in one of its forms, ready to be sent.
#[derive(Debug, Clone)]
pub struct Rendition {
    pub file: Spool,
    pub content_type: &'static str,
}

impl Stored {
    fn learn(&mut self, measures: Option<Measures>) {
        let Some(Measures { width, height, blur_hash, duration_ms }) = measures else { return };
        (self.width, self.height) = (Some(width), Some(height));
        (self.blur_hash, self.duration_ms) = (Some(blur_hash), duration_ms);
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

    /// Whether this node reads videos.
    #[must_use]
    pub fn videos(&self) -> Videos {
        self.videos
    }

    /// Keeps a file that a worker made, clean of prompt and graph, and these apart. What it is, its bytes say; a picture
    /// that cannot be decoded within the limits is kept as a plain download, which no browser opens.
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

    /// Keeps a picture that somebody uploaded, with nothing in its file but the picture.
    ///
    /// # Errors
    /// [`Error::FileEmpty`], [`Error::FileTruncated`], [`Error::FileFormatUnsupported`], [`Error::FileSidesUnsupported`]
    /// and [`Error::FileNotAnImage`] say what is wrong with it; [`Error::Unavailable`] where too many wait. Nothing was
    /// kept then.
    pub async fn store_picture(&self, file: impl Into<Spool>) -> Result<Stored> {
        let file = file.into();
        let _queued = self.queue()?;
        let media = sniff(file.head());
        let clean = self.clean_picture(&file, media).await?.map_err(Error::from)?;
        if let Some(measures) = &clean.measures {
            let checked = self.limits.check_aspect(measures.width, measures.height);
            checked.map_err(|reason| Error::FileSidesUnsupported { reason })?;
        }
        let clean_file = clean.files.into_iter().next().flatten().unwrap_or(file);
        let mut stored = self.keep(&clean_file, media, clean.measures).await?;
        stored.embedded = Embedded::Nothing;
        Ok(stored)
    }

    /// Keeps a sound or a film that somebody uploaded, whichever is asked for, with nothing in its file but what it
    /// plays.
    ///
    /// # Errors
    /// [`Error::FileMediaUnavailable`] without ffmpeg; [`Error::FileEmpty`], [`Error::FileTruncated`],
    /// [`Error::FileFormatUnsupported`], [`Error::FileTooLong`] and [`Error::FileNotMedia`] say what is wrong with it;
    /// [`Error::Unavailable`] where too many wait. Nothing was kept then.
    pub async fn store_played(&self, file: impl Into<Spool>, kind: AssetKind) -> Result<Stored> {
        let file = file.into();
        let _queued = self.queue()?;
        if file.is_empty() {
            return Err(Error::FileEmpty);
        }
        let media = sniff(file.head());
        let foreign = media::foreign(file.head());
        let ways = Remux::of(media, foreign);
        if ways.is_empty() {
            return Err(match foreign {
                Some(format) => Error::FileFormatUnsupported { format, taken: PLAYED },
                None => Error::FileNotMedia { reason: format!("it is none of {PLAYED}") },
            });
        }
        if self.ffmpeg.is_none() {
            return Err(Error::FileMediaUnavailable);
        }
        let looked_at = file.clone();
        if spool::blocking(move || media::is_cut(&mut looked_at.reader()?, looked_at.len())).await? {
            return Err(Error::FileTruncated);
        }
        let most = file.len().saturating_mul(2).saturating_add(1 << 20);
        let played = self.remuxed(&file, ways, most).await?;
        let Played { file, media, length_ms } = played.map_err(|reason| Error::FileNotMedia { reason })?;
        if media.kind() != kind {
            let reason = match kind {
                AssetKind::Video => "it shows no pictures, a film is asked for",
                _ => "it is a film, a sound is asked for",
            };
            return Err(Error::FileNotMedia { reason: reason.to_owned() });
        }
        let limit_seconds = self.media.seconds;
        if length_ms.is_some_and(|length| length > i64::from(limit_seconds) * 1000) {
            return Err(Error::FileTooLong { limit_seconds });
        }
        let mut measures = None;
        if media.kind() == AssetKind::Video {
            measures = self.watch(&file.hash().await?, media, &file).await?;
            if measures.is_none() {
                return Err(Error::FileNotMedia { reason: "its pictures cannot be read".to_owned() });
            }
        }
        let mut stored = self.keep(&file, media, measures).await?;
        stored.duration_ms = stored.duration_ms.or(length_ms);
        stored.embedded = Embedded::Nothing;
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

    async fn clean_picture(&self, file: &Spool, media: MediaType) -> Result<std::result::Result<Made<Spool>, Wrong>> {
        match picture::taken(file.head(), media) {
            Ok(()) => self.work(file, media, Task::Clean).await,
            Err(wrong) => Ok(Err(wrong)),
        }
    }

    /// Keeps what was taken out of a file.
    async fn keep_apart(&self, content: &ContentHash, splice: Option<Spool>) -> Result<Embedded> {
        match splice {
            Some(splice) => Ok(Embedded::Apart(self.storage.put_embedded(content, &splice).await?)),
            None => Ok(Embedded::Nothing),
        }
    }

    /// Sound or film copied by the first way that works, or why none does.
    async fn remuxed(
        &self,
        file: &Spool,
        ways: &[Remux],
        most_bytes: u64,
    ) -> Result<std::result::Result<Played, String>> {
        let Some(ffmpeg) = &self.ffmpeg else { return Ok(Err("ffmpeg is missing".to_owned())) };
        let _place = self.video_places.acquire().await.map_err(|error| Error::Internal(format!("videos: {error}")))?;
        // ffmpeg reads a copy of its own: it has to move about in a file, and the store may be elsewhere.
        let file = file.on_disk().await?;
        let mut why = "it is of no kind that is cleaned".to_owned();
        for way in ways {
            let clean = match ffmpeg.clean(file.path(), *way, most_bytes).await {
                Ok(clean) => clean,
                Err(reason) => {
                    why = reason;
                    continue;
                }
            };
            let length_ms = ffmpeg.length_ms(clean.on_disk().await?.path(), *way).await.unwrap_or_default();
            return Ok(Ok(Played { file: clean, media: way.target, length_ms }));
        }
        Ok(Err(why))
    }

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

    async fn keep(&self, file: &Spool, media: MediaType, measures: Option<Measures>) -> Result<Stored> {
        let size_bytes =
            i64::try_from(file.len()).map_err(|_| Error::Internal("a file of more than 2^63 bytes".to_owned()))?;
        let content = self.storage.put_file(file).await?;
        let embedded = Embedded::Inside;
        let (width, height, blur_hash, duration_ms) = (None, None, None, None);
        let mut stored = Stored { content, media, size_bytes, width, height, blur_hash, duration_ms, embedded };
        stored.learn(measures);
        Ok(stored)
    }

    /// Reads a video that is stored, and makes its poster in all forms. `None` where it cannot be read here.
    ///
    /// # Errors
    /// [`Error::NotFound`] where its bytes are gone; where the storage fails.
    pub async fn read_video(&self, content: &ContentHash, media: MediaType) -> Result<Option<Measures>> {
        if self.ffmpeg.is_none() {
            return Ok(None);
        }
        let file = self.storage.get_file(content, Form::Raw).await?;
        self.watch(content, media, &file).await
    }

    /// What ffmpeg tells of a video, with the poster kept. A video that it cannot read is no error: it is shown all the
    /// same, without a poster.
    async fn watch(&self, content: &ContentHash, media: MediaType, file: &Spool) -> Result<Option<Measures>> {
        let Some(ffmpeg) = &self.ffmpeg else { return Ok(None) };
        let watched = {
            let _place =
                self.video_places.acquire().await.map_err(|error| Error::Internal(format!("videos: {error}")))?;
            self.facts_and_frame(ffmpeg, media, file).await?
        };
        let (facts, frame) = match watched {
            Ok(watched) => watched,
            Err(reason) => {
                tracing::info!(reason, file.content = content.as_str(), "a video was not read");
                return Ok(None);
            }
        };
        let editions = [CARD, CELL, PANEL, SCREEN];
        let sizes = editions.map(|edition| (edition.size, edition.quality)).to_vec();
        let task = Task::Editions(Editions { sizes, of_animations: true, measured: true });
        let made = self.work(&frame, MediaType::Png, task).await?;
        let (made, measures) = match made.map(|made| (made.files, made.measures.and_then(|frame| facts.with(frame)))) {
            Ok((made, Some(measures))) => (made, measures),
            Ok((_, None)) => return Ok(None),
            Err(reason) => {
                tracing::info!(?reason, file.content = content.as_str(), "a video's first frame cannot be shown");
                return Ok(None);
            }
        };
        for (edition, poster) in editions.iter().zip(made) {
            if let Some(poster) = poster {
                self.storage.put_form(content, edition.form, poster.bytes().await?).await?;
            }
        }
        Ok(Some(measures))
    }

    async fn facts_and_frame(
        &self,
        ffmpeg: &Ffmpeg,
        media: MediaType,
        file: &Spool,
    ) -> Result<std::result::Result<(Facts, Spool), String>> {
        let file = file.on_disk().await?;
        let facts = match ffmpeg.facts(file.path(), media, self.limits).await {
            Ok(facts) => facts,
            Err(reason) => return Ok(Err(reason)),
        };
        Ok(ffmpeg.first_frame(file.path(), media, self.limits).await.map(|frame| (facts, frame)))
    }

    /// A place in the queue, for those who can come again.
    fn queue(&self) -> Result<SemaphorePermit<'_>> {
        self.queue.try_acquire().map_err(|_| Error::Unavailable {
            message: "too many pictures are being worked on".to_owned(),
            retry_after_seconds: 2,
        })
    }

    /// Does the work once one of the few places is free: a small picture is cleaned on a blocking thread, all else is done
    /// in a process of its own.
    async fn work(
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
            let done = picture::perform(&bytes, media, limits, &task);
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
            Wrong::Sides(reason) => Self::FileSidesUnsupported { reason },
            Wrong::Unreadable(reason) => Self::FileNotAnImage { reason },
        }
    }
}
