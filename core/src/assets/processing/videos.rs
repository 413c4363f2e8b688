//! Sounds and videos: remuxing without metadata, reading, and posters.

use super::MediaProcessor;
use super::rendition_spec::{CARD, CELL, PANEL, SCREEN};
use crate::assets::ffmpeg::Ffmpeg;
use crate::assets::ffmpeg::facts::Facts;
use crate::assets::ffmpeg::remux::Remux;
use crate::assets::media::MediaType;
use crate::assets::pictures::picture::{Measures, ResizeOptions, Task};
use crate::assets::storage::content_hash::ContentHash;
use crate::assets::storage::paths::Form;
use crate::assets::storage::spool::Spool;
use crate::error::{Error, Result};

/// A sound or video without metadata.
pub(super) struct CleanMedia {
    pub file: Spool,
    pub media: MediaType,
    pub length_ms: Option<i64>,
}

impl MediaProcessor {
    /// Remuxes a sound or video in the first way that works; otherwise the reason why none does.
    pub(super) async fn remuxed(
        &self,
        file: &Spool,
        ways: &[Remux],
        most_bytes: u64,
    ) -> Result<std::result::Result<CleanMedia, String>> {
        let Some(ffmpeg) = &self.ffmpeg else { return Ok(Err("ffmpeg is missing".to_owned())) };
        let _permit =
            self.video_permits.acquire().await.map_err(|error| Error::Internal(format!("videos: {error}")))?;
        // ffmpeg needs a seekable local file, and the storage may be remote.
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
            return Ok(Ok(CleanMedia { file: clean, media: way.target, length_ms }));
        }
        Ok(Err(why))
    }

    /// Reads a stored video, and makes its poster in all sizes. `None` if this node cannot read it.
    ///
    /// # Errors
    /// [`Error::NotFound`] if its bytes are gone; if the storage fails.
    pub async fn inspect_video(&self, content: &ContentHash, media: MediaType) -> Result<Option<Measures>> {
        if self.ffmpeg.is_none() {
            return Ok(None);
        }
        let file = self.storage.get_file(content, Form::Raw).await?;
        self.inspect(content, media, &file).await
    }

    /// Measures a video and stores its poster. A video that ffmpeg cannot read is not an error: it is shown without a
    /// poster.
    pub(super) async fn inspect(
        &self,
        content: &ContentHash,
        media: MediaType,
        file: &Spool,
    ) -> Result<Option<Measures>> {
        let Some(ffmpeg) = &self.ffmpeg else { return Ok(None) };
        let inspected = {
            let _permit =
                self.video_permits.acquire().await.map_err(|error| Error::Internal(format!("videos: {error}")))?;
            self.facts_and_frame(ffmpeg, media, file).await?
        };
        let (facts, frame) = match inspected {
            Ok(inspected) => inspected,
            Err(reason) => {
                tracing::info!(reason, file.content = content.as_str(), "cannot read a video");
                return Ok(None);
            }
        };
        let specs = [CARD, CELL, PANEL, SCREEN];
        let sizes = specs.map(|spec| (spec.size, spec.quality)).to_vec();
        let task = Task::Resize(ResizeOptions { sizes, of_animations: true, measured: true });
        let made = self.run(&frame, MediaType::Png, task).await?;
        let (made, measures) = match made.map(|made| (made.files, made.measures.and_then(|frame| facts.with(frame)))) {
            Ok((made, Some(measures))) => (made, measures),
            Ok((_, None)) => return Ok(None),
            Err(reason) => {
                tracing::info!(?reason, file.content = content.as_str(), "cannot make a poster of a video");
                return Ok(None);
            }
        };
        for (spec, poster) in specs.iter().zip(made) {
            if let Some(poster) = poster {
                self.storage.put_form(content, spec.form, poster.bytes().await?).await?;
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
