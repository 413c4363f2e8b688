//! Uploads of users.

use super::MediaProcessor;
use super::videos::CleanMedia;
use crate::assets::asset::StoredFile;
use crate::assets::embedded::EmbeddedMetadata;
use crate::assets::ffmpeg::remux::Remux;
use crate::assets::media::{self, AssetKind, sniff};
use crate::assets::storage::spool::{self, Spool};
use crate::error::{Error, Result};

const PLAYED: &str = "MP4, WebM, MP3, M4A, FLAC, Ogg and WAV";

impl MediaProcessor {
    /// Stores an uploaded picture without its metadata.
    ///
    /// # Errors
    /// [`Error::FileEmpty`], [`Error::FileTruncated`], [`Error::FileFormatUnsupported`],
    /// [`Error::FileSidesUnsupported`] and [`Error::FileNotAnImage`] for an invalid picture; [`Error::Unavailable`] if
    /// too many wait. Nothing is stored then.
    pub async fn store_picture(&self, file: impl Into<Spool>) -> Result<StoredFile> {
        let file = file.into();
        let _queued = self.queue()?;
        let media = sniff(file.head());
        let clean = self.clean_picture(&file, media).await?.map_err(Error::from)?;
        if let Some(measures) = &clean.measures {
            let checked = self.limits.check_aspect(measures.width, measures.height);
            checked.map_err(|reason| Error::FileSidesUnsupported { reason })?;
        }
        let clean_file = clean.files.into_iter().next().flatten().unwrap_or(file);
        let mut stored = self.store(&clean_file, media, clean.measures).await?;
        stored.embedded = EmbeddedMetadata::None;
        Ok(stored)
    }

    /// Stores an uploaded sound or video, as `kind` says, without its metadata.
    ///
    /// # Errors
    /// [`Error::FileMediaUnavailable`] without ffmpeg; [`Error::FileEmpty`], [`Error::FileTruncated`],
    /// [`Error::FileFormatUnsupported`], [`Error::FileTooLong`] and [`Error::FileNotMedia`] for an invalid file;
    /// [`Error::Unavailable`] if too many wait. Nothing is stored then.
    pub async fn store_media(&self, file: impl Into<Spool>, kind: AssetKind) -> Result<StoredFile> {
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
        let clean = self.remuxed(&file, ways, most).await?;
        let CleanMedia { file, media, length_ms } = clean.map_err(|reason| Error::FileNotMedia { reason })?;
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
            measures = self.inspect(&file.hash().await?, media, &file).await?;
            if measures.is_none() {
                return Err(Error::FileNotMedia { reason: "its pictures cannot be read".to_owned() });
            }
        }
        let mut stored = self.store(&file, media, measures).await?;
        stored.duration_ms = stored.duration_ms.or(length_ms);
        stored.embedded = EmbeddedMetadata::None;
        Ok(stored)
    }
}
