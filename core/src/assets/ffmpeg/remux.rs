//! Ways to remux a file, by its type.

use crate::assets::media::MediaType;

/// One way to copy the streams of a file into a new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::assets) struct Remux {
    pub(super) demuxer: &'static str,
    pub(super) muxer: &'static str,
    /// `copy`, or the lossless codec that encodes the sound again.
    pub(super) codec: &'static str,
    /// The type of the copy.
    pub target: MediaType,
}

impl Remux {
    const fn new(demuxer: &'static str, muxer: &'static str, target: MediaType) -> Self {
        Self { demuxer, muxer, codec: "copy", target }
    }

    /// Encodes the sound again, without loss.
    const fn encoding(self, codec: &'static str) -> Self {
        Self { codec, ..self }
    }

    /// The ways for a file of this type, best first; `foreign` names an unsupported format.
    pub fn of(media: MediaType, foreign: Option<&str>) -> &'static [Self] {
        /// Audio alone in a video container is a sound.
        const MP4: [Remux; 2] = [Remux::new("mov", "mp4", MediaType::Mp4), Remux::new("mov", "ipod", MediaType::M4a)];
        const M4A: [Remux; 1] = [Remux::new("mov", "ipod", MediaType::M4a)];
        const WEBM: [Remux; 1] = [Remux::new("matroska", "webm", MediaType::Webm)];
        const MATROSKA: [Remux; 2] =
            [Remux::new("matroska", "webm", MediaType::Webm), Remux::new("matroska", "mp4", MediaType::Mp4)];
        const FLAC: Remux = Remux::new("flac", "flac", MediaType::Flac);
        const FLACS: [Remux; 2] = [FLAC, FLAC.encoding("flac")];
        const MP3: [Remux; 1] = [Remux::new("mp3", "mp3", MediaType::Mp3)];
        const OGG: [Remux; 1] = [Remux::new("ogg", "ogg", MediaType::Ogg)];
        const WAV: [Remux; 1] = [Remux::new("wav", "wav", MediaType::Wav)];
        match (media, foreign) {
            (MediaType::Mp4, _) => &MP4,
            (MediaType::M4a, _) => &M4A,
            (MediaType::Webm, _) => &WEBM,
            (MediaType::Flac, _) => &FLACS,
            (MediaType::Mp3, _) => &MP3,
            (MediaType::Ogg, _) => &OGG,
            (MediaType::Wav, _) => &WAV,
            // QuickTime files from phones and recorders, which browsers do not play, become MP4.
            (_, Some("QuickTime")) => &MP4,
            (_, Some("Matroska")) => &MATROSKA,
            _ => &[],
        }
    }

    /// The demuxer that reads the copy.
    pub(super) fn muxer_read(self) -> &'static str {
        match self.muxer {
            "mp4" | "ipod" => "mov",
            "webm" => "matroska",
            same => same,
        }
    }
}
