//! Uploads of users.

use bytes::Bytes;

use super::MediaProcessor;
use super::videos::CleanMedia;
use crate::assets::asset::StoredFile;
use crate::assets::embedded::EmbeddedMetadata;
use crate::assets::ffmpeg::remux::Remux;
use crate::assets::media::{self, AssetKind, MediaType, sniff};
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

    /// Stores an uploaded text file as UTF-8 without a byte-order mark. Only for files of a limited size.
    ///
    /// # Errors
    /// [`Error::FileEmpty`] for a file without text; [`Error::FileNotText`] for other bytes; if the storage fails.
    pub async fn store_text(&self, file: impl Into<Spool>) -> Result<StoredFile> {
        let file = file.into();
        let bytes = file.bytes().await?;
        let text = spool::blocking(move || Ok(plain_text(&bytes))).await?;
        let mut stored = self.store(&text?.into(), MediaType::Text, None).await?;
        stored.embedded = EmbeddedMetadata::None;
        Ok(stored)
    }
}

const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";

/// The text in UTF-8 without its byte-order mark. UTF-16 is read only with a mark, because other files look like it.
///
/// # Errors
/// [`Error::FileEmpty`] and [`Error::FileNotText`].
fn plain_text(bytes: &Bytes) -> Result<Bytes> {
    let refused = |reason: &str| Error::FileNotText { reason: reason.to_owned() };
    let text = match bytes.as_ref() {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes).ok_or_else(|| refused("its UTF-16 is not valid"))?,
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes).ok_or_else(|| refused("its UTF-16 is not valid"))?,
        whole => {
            let mark = if whole.starts_with(UTF8_MARK) { UTF8_MARK.len() } else { 0 };
            bytes.slice(mark..)
        }
    };
    if text.is_empty() {
        return Err(Error::FileEmpty);
    }
    if std::str::from_utf8(&text).is_err() {
        return Err(refused("it is not in UTF-8"));
    }
    if text.contains(&0) {
        return Err(refused("it contains the NUL character"));
    }
    Ok(text)
}

/// UTF-16 without its mark as UTF-8; `None` if it is not valid.
fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<Bytes> {
    let (units, rest) = bytes.as_chunks::<2>();
    let text: Option<String> = char::decode_utf16(units.iter().copied().map(unit)).map(Result::ok).collect();
    text.filter(|_| rest.is_empty()).map(Bytes::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &'static [u8]) -> Result<Bytes> {
        plain_text(&Bytes::from_static(bytes))
    }

    #[test]
    fn texts_are_stored_as_utf8_without_a_mark() {
        for (bytes, text) in [
            (&b"a,b\r\n1,2\n"[..], "a,b\r\n1,2\n"),
            ("\u{feff}고양이".as_bytes(), "고양이"),
            (b"\xff\xfea\0\x3d\xd8\x08\xde", "a😈"),
            (b"\xfe\xff\0a\xd8\x3d\xde\x08", "a😈"),
            (b"<script>alert(1)</script>", "<script>alert(1)</script>"),
            // Texts that begin like media files.
            (b"ID3 is a tag", "ID3 is a tag"),
        ] {
            assert_eq!(read(bytes).expect(text), text);
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        for (bytes, reason) in [
            (&b"\x89PNG\r\n\x1a\n\0\0"[..], "it is not in UTF-8"),
            (b"caf\xe9", "it is not in UTF-8"),
            (b"cut \xea\xb3", "it is not in UTF-8"),
            (b"a\0b", "it contains the NUL character"),
            (b"a\0b\0", "it contains the NUL character"),
            (b"\xff\xfea\0\0\0", "it contains the NUL character"),
            // UTF-32.
            (b"\xff\xfe\0\0a\0\0\0", "it contains the NUL character"),
            (b"\xff\xfea", "its UTF-16 is not valid"),
            (b"\xff\xfe\0\xd8", "its UTF-16 is not valid"),
        ] {
            let refused = read(bytes);
            assert!(
                matches!(&refused, Err(Error::FileNotText { reason: told }) if told == reason),
                "{}: {refused:?}",
                bytes.escape_ascii()
            );
        }
        for empty in [&b""[..], b"\xef\xbb\xbf", b"\xff\xfe"] {
            assert!(matches!(read(empty), Err(Error::FileEmpty)), "{}", empty.escape_ascii());
        }
    }
}
