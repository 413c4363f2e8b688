//! The ways to copy what a file plays, by kind of file.

use crate::assets::media::MediaType;

/// One way to copy what a file plays into a file with nothing else in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::assets) struct Remux {
    pub(super) demuxer: &'static str,
    pub(super) muxer: &'static str,
    /// What the copy is.
    pub target: MediaType,
}

impl Remux {
    const fn new(demuxer: &'static str, muxer: &'static str, target: MediaType) -> Self {
        Self { demuxer, muxer, target }
    }

    /// The ways for a file of this kind, the best first; `foreign` names the format of what is of no kind.
    pub fn of(media: MediaType, foreign: Option<&str>) -> &'static [Self] {
        /// Sound alone, in the container of films, is a sound.
        const MP4: [Remux; 2] = [Remux::new("mov", "mp4", MediaType::Mp4), Remux::new("mov", "ipod", MediaType::M4a)];
        const M4A: [Remux; 1] = [Remux::new("mov", "ipod", MediaType::M4a)];
        const WEBM: [Remux; 1] = [Remux::new("matroska", "webm", MediaType::Webm)];
        const MATROSKA: [Remux; 2] =
            [Remux::new("matroska", "webm", MediaType::Webm), Remux::new("matroska", "mp4", MediaType::Mp4)];
        const FLAC: [Remux; 1] = [Remux::new("flac", "flac", MediaType::Flac)];
        const MP3: [Remux; 1] = [Remux::new("mp3", "mp3", MediaType::Mp3)];
        const OGG: [Remux; 1] = [Remux::new("ogg", "ogg", MediaType::Ogg)];
        const WAV: [Remux; 1] = [Remux::new("wav", "wav", MediaType::Wav)];
        match (media, foreign) {
            (MediaType::Mp4, _) => &MP4,
            (MediaType::M4a, _) => &M4A,
            (MediaType::Webm, _) => &WEBM,
            (MediaType::Flac, _) => &FLAC,
            (MediaType::Mp3, _) => &MP3,
            (MediaType::Ogg, _) => &OGG,
            (MediaType::Wav, _) => &WAV,
            // What telephones and recorders write, and browsers do not play, becomes what they do.
            (_, Some("QuickTime")) => &MP4,
            (_, Some("Matroska")) => &MATROSKA,
            _ => &[],
        }
    }

    /// What reads the copy.
    pub(super) fn muxer_read(self) -> &'static str {
        match self.muxer {
            "mp4" | "ipod" => "mov",
            "webm" => "matroska",
            same => same,
        }
    }
}
