//! Where files are checked, measured and made smaller: on blocking threads, a few at a time.

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

use super::picture::{self, Measures, Picture, PictureLimits, Wrong};
use super::storage::{Form, Storage};
use super::turns::Turns;
use super::video::{Facts, Ffmpeg, Remux};
use super::{AssetKind, ContentHash, Embedded, Key, MediaType, Quality, Stored, embedded, media, sniff};
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
    bytes: Bytes,
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
    rounds: Arc<Semaphore>,
    cleanings: Arc<Semaphore>,
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendition {
    pub bytes: Bytes,
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
            rounds: Arc::new(Semaphore::new(1)),
            cleanings: Arc::new(Semaphore::new(1)),
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
    pub async fn store_output(&self, bytes: Bytes) -> Result<Stored> {
        let media = sniff(&bytes);
        match media.kind() {
            AssetKind::Image => {}
            AssetKind::Video | AssetKind::Audio => return self.store_played_output(bytes, media).await,
            AssetKind::File => return self.keep(bytes, media, None).await,
        }
        let Ok((clean, measures)) = self.clean_picture(&bytes, media).await? else {
            return self.keep(bytes, MediaType::Other, None).await;
        };
        let mut stored = self.keep(clean.clone(), media, Some(measures)).await?;
        stored.embedded = self.keep_apart(&stored.content, bytes, clean).await?;
        Ok(stored)
    }

    /// Sound and film of a worker's. Where they cannot be cleaned they are kept as they are, for their owner alone.
    async fn store_played_output(&self, bytes: Bytes, media: MediaType) -> Result<Stored> {
        let cleaned = match self.remuxed(&bytes, Remux::of(media, None), self.media.output_bytes).await? {
            Ok(cleaned) => Some(cleaned),
            Err(reason) => {
                tracing::info!(reason, "an output keeps what it tells, and is its owner's alone");
                None
            }
        };
        let (kept, media) = match &cleaned {
            Some(Played { bytes, media, .. }) => (bytes.clone(), *media),
            None => (bytes.clone(), media),
        };
        let mut stored = self.keep(kept.clone(), media, None).await?;
        if let Some(played) = cleaned {
            stored.duration_ms = played.length_ms;
            stored.embedded = self.keep_apart(&stored.content, bytes, kept.clone()).await?;
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
    pub async fn store_picture(&self, bytes: Bytes) -> Result<Stored> {
        let _queued = self.queue()?;
        let media = sniff(&bytes);
        let (clean, measures) = self.clean_picture(&bytes, media).await?.map_err(Error::from)?;
        self.limits
            .check_aspect(measures.width, measures.height)
            .map_err(|reason| Error::FileSidesUnsupported { reason })?;
        let mut stored = self.keep(clean, media, Some(measures)).await?;
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
    pub async fn store_played(&self, bytes: Bytes, kind: AssetKind) -> Result<Stored> {
        let _queued = self.queue()?;
        if bytes.is_empty() {
            return Err(Error::FileEmpty);
        }
        let media = sniff(&bytes);
        let foreign = media::foreign(&bytes);
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
        if media::is_cut(&bytes) {
            return Err(Error::FileTruncated);
        }
        let most = (bytes.len() as u64).saturating_mul(2).saturating_add(1 << 20);
        let played = self.remuxed(&bytes, ways, most).await?;
        let Played { bytes, media, length_ms } = played.map_err(|reason| Error::FileNotMedia { reason })?;
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
            measures = self.watch(&ContentHash::of(&bytes), media, &bytes).await?;
            if measures.is_none() {
                return Err(Error::FileNotMedia { reason: "its pictures cannot be read".to_owned() });
            }
        }
        let mut stored = self.keep(bytes, media, measures).await?;
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
        let bytes = self.storage.get(content).await?;
        self.store_output(bytes).await
    }

    /// The bytes of an output as its worker made them.
    ///
    /// # Errors
    /// [`Error::NotFound`] where they are gone; where the storage fails.
    pub async fn original(&self, content: &ContentHash, embedded: &Embedded) -> Result<Bytes> {
        let clean = self.storage.get(content).await?;
        let Embedded::Apart(name) = embedded else { return Ok(clean) };
        let splice = self.storage.get_embedded(content, name).await?;
        let whole = embedded::join(&clean, &splice).map(Bytes::from);
        whole.ok_or_else(|| Error::Internal(format!("what is kept apart of {} is of another file", content.0)))
    }

    async fn clean_picture(
        &self,
        bytes: &Bytes,
        media: MediaType,
    ) -> Result<std::result::Result<(Bytes, Measures), Wrong>> {
        let (bytes, limits) = (bytes.clone(), self.limits);
        let cleaned = self.work(move || picture::cleaned(&bytes, media, limits)).await?;
        Ok(cleaned.map(|(bytes, measures)| (bytes.into(), measures)))
    }

    /// Keeps what `clean` lacks of `whole`.
    async fn keep_apart(&self, content: &ContentHash, whole: Bytes, clean: Bytes) -> Result<Embedded> {
        if whole == clean {
            return Ok(Embedded::Nothing);
        }
        let splice = tokio::task::spawn_blocking(move || embedded::split(&whole, &clean));
        let splice = splice.await.map_err(|error| Error::Internal(format!("an output was not compared: {error}")))?;
        let Some(splice) = splice else { return Ok(Embedded::Nothing) };
        Ok(Embedded::Apart(self.storage.put_embedded(content, splice.into()).await?))
    }

    /// Sound or film copied by the first way that works, or why none does.
    async fn remuxed(
        &self,
        bytes: &Bytes,
        ways: &[Remux],
        most_bytes: u64,
    ) -> Result<std::result::Result<Played, String>> {
        let Some(ffmpeg) = &self.ffmpeg else { return Ok(Err("ffmpeg is missing".to_owned())) };
        let _place = self.video_places.acquire().await.map_err(|error| Error::Internal(format!("videos: {error}")))?;
        let file = written(bytes.clone()).await?;
        let mut why = "it is of no kind that is cleaned".to_owned();
        for way in ways {
            let cleaned = match ffmpeg.clean(&file, *way, most_bytes).await {
                Ok(cleaned) => Bytes::from(cleaned),
                Err(reason) => {
                    why = reason;
                    continue;
                }
            };
            let length_ms = ffmpeg.length_ms(&written(cleaned.clone()).await?, *way).await.unwrap_or_default();
            return Ok(Ok(Played { bytes: cleaned, media: way.target, length_ms }));
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
            Ok(bytes) => return Ok(Rendition { bytes, content_type: MediaType::Webp.content_type() }),
            // Posters are made when a video is stored: nobody makes ffmpeg run by asking for one.
            Err(Error::NotFound { .. }) if kind == AssetKind::Image || edition.form != Form::Optimal => {}
            Err(error) => return Err(error),
        }
        let _queued = self.queue()?;
        let (raw, media) = match kind {
            AssetKind::Image => (self.raw(key).await?, key.media),
            _ => (self.poster(key).await?, MediaType::Webp),
        };
        let (bytes, limits) = (raw.bytes.clone(), self.limits);
        let made = self
            .work(move || {
                let picture = Picture::decode(&bytes, media, limits)?;
                // An animation moves on screens; its card is its first frame.
                if picture.frames > 1 && edition.form == Form::Optimal {
                    return Ok(None);
                }
                picture.webp(edition.size, edition.quality).map(Some)
            })
            .await?
            .map_err(|_| Error::NotFound { what: "file" })?;
        let Some(made) = made else { return Ok(raw) };
        let bytes = Bytes::from(made);
        self.storage.put_form(&key.content, edition.form, bytes.clone()).await?;
        Ok(Rendition { bytes, content_type: MediaType::Webp.content_type() })
    }

    /// The largest poster of a video; smaller ones of videos that were read before these had a use are made of it.
    async fn poster(&self, key: &Key) -> Result<Rendition> {
        let bytes = self.storage.get_form(&key.content, Form::Optimal).await?;
        Ok(Rendition { bytes, content_type: MediaType::Webp.content_type() })
    }

    async fn raw(&self, key: &Key) -> Result<Rendition> {
        let bytes = self.storage.get(&key.content).await?;
        // A download stays one whatever its bytes look like; nothing else is sent under a type that it is not.
        if key.media.kind() != AssetKind::File && sniff(&bytes) != key.media {
            return Err(Error::NotFound { what: "file" });
        }
        Ok(Rendition { bytes, content_type: key.media.content_type() })
    }

    async fn keep(&self, bytes: Bytes, media: MediaType, measures: Option<Measures>) -> Result<Stored> {
        let size_bytes =
            i64::try_from(bytes.len()).map_err(|_| Error::Internal("a file of more than 2^63 bytes".to_owned()))?;
        let content = self.storage.put(bytes).await?;
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
        let bytes = self.storage.get(content).await?;
        self.watch(content, media, &bytes).await
    }

    /// The right to read older videos in the background; one on a node at a time.
    pub(crate) fn begin_round(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.rounds).try_acquire_owned().ok()
    }

    /// The right to clean older files in the background; one on a node at a time.
    pub(crate) fn begin_cleaning(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.cleanings).try_acquire_owned().ok()
    }

    /// What ffmpeg tells of a video, with the poster kept. A video that it cannot read is no error: it is shown all the
    /// same, without a poster.
    async fn watch(&self, content: &ContentHash, media: MediaType, bytes: &Bytes) -> Result<Option<Measures>> {
        let Some(ffmpeg) = &self.ffmpeg else { return Ok(None) };
        let watched = {
            let _place =
                self.video_places.acquire().await.map_err(|error| Error::Internal(format!("videos: {error}")))?;
            self.facts_and_frame(ffmpeg, media, bytes).await?
        };
        let (facts, frame) = match watched {
            Ok(watched) => watched,
            Err(reason) => {
                tracing::info!(reason, file.content = content.as_str(), "a video was not read");
                return Ok(None);
            }
        };
        let limits = self.limits;
        let made = self
            .work(move || {
                let picture = Picture::decode(&frame, MediaType::Png, limits)?;
                let measures = picture.measure()?;
                let side = |side: u32| i32::try_from(side).map_err(|_| "it is too large".to_owned());
                let measures = Measures {
                    width: side(facts.width)?,
                    height: side(facts.height)?,
                    duration_ms: facts.duration_ms,
                    ..measures
                };
                let posters = [CARD, CELL, PANEL, SCREEN]
                    .map(|edition| picture.webp(edition.size, edition.quality).map(|bytes| (edition.form, bytes)));
                Ok::<_, String>((measures, posters.into_iter().collect::<std::result::Result<Vec<_>, _>>()?))
            })
            .await?;
        let (measures, posters) = match made {
            Ok(made) => made,
            Err(reason) => {
                tracing::info!(reason, file.content = content.as_str(), "a video's first frame cannot be shown");
                return Ok(None);
            }
        };
        for (form, poster) in posters {
            self.storage.put_form(content, form, poster.into()).await?;
        }
        Ok(Some(measures))
    }

    /// ffmpeg reads a copy of its own: it has to move about in a file, and the store may be elsewhere.
    async fn facts_and_frame(
        &self,
        ffmpeg: &Ffmpeg,
        media: MediaType,
        bytes: &Bytes,
    ) -> Result<std::result::Result<(Facts, Vec<u8>), String>> {
        let file = written(bytes.clone()).await?;
        let facts = match ffmpeg.facts(&file, media, self.limits).await {
            Ok(facts) => facts,
            Err(reason) => return Ok(Err(reason)),
        };
        Ok(ffmpeg.first_frame(&file, media, self.limits).await.map(|frame| (facts, frame)))
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

/// A copy on the disk: ffmpeg has to move about in a file, and the store may be elsewhere.
async fn written(bytes: Bytes) -> Result<tempfile::TempPath> {
    let written = tokio::task::spawn_blocking(move || {
        let mut file = tempfile::NamedTempFile::with_prefix("verdigraph-video-")?;
        std::io::Write::write_all(&mut file, &bytes)?;
        Ok::<_, std::io::Error>(file.into_temp_path())
    });
    let failed = |error: String| Error::Internal(format!("a video's copy: {error}"));
    let file = written.await.map_err(|error| failed(error.to_string()))?;
    file.map_err(|error| failed(error.to_string()))
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
