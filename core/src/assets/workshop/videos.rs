//! Sound and film: copied clean, watched, and their posters made.

use super::Workshop;
use super::edition::{CARD, CELL, PANEL, SCREEN};
use crate::assets::ffmpeg::Ffmpeg;
use crate::assets::ffmpeg::facts::Facts;
use crate::assets::ffmpeg::remux::Remux;
use crate::assets::media::MediaType;
use crate::assets::pictures::picture::{Editions, Measures, Task};
use crate::assets::storage::content_hash::ContentHash;
use crate::assets::storage::paths::Form;
use crate::assets::storage::spool::Spool;
use crate::error::{Error, Result};

/// Sound or film that was cleaned.
pub(super) struct Played {
    pub file: Spool,
    pub media: MediaType,
    pub length_ms: Option<i64>,
}

impl Workshop {
    /// Sound or film copied by the first way that works, or why none does.
    pub(super) async fn remuxed(
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
    pub(super) async fn watch(
        &self,
        content: &ContentHash,
        media: MediaType,
        file: &Spool,
    ) -> Result<Option<Measures>> {
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
}
