//! Videos and sounds from outside: measured, cleaned of what they tell beside what they play, and the first frame of
//! videos taken, by ffmpeg where it is on the machine.
//!
//! What strangers made is read by another process and never by this one: without a shell, without an environment,
//! with nothing but the one file within reach (no network, no playlists, no other protocols), with the demuxer of the
//! kind that the bytes are and the decoders of videos that browsers play, and within limits of time, memory, processor
//! and output. Where ffmpeg is missing, switched off or fails, a video has neither size nor poster, and pages draw its
//! first frame themselves.

pub(in crate::assets) mod facts;
mod hevc;
pub(in crate::assets) mod remux;

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tempfile::TempPath;
use tokio::io::AsyncReadExt as _;
use tokio::process::{Child, Command};

use super::media::{AssetKind, MediaType};
use super::pictures::picture::PictureLimits;
use super::storage::spool::Spool;
use crate::settings::{Environment, FfmpegSettings};
use facts::Facts;
use remux::Remux;

/// Decoders that may run: what browsers play, and the sound beside it, which is opened when a file is looked at.
const DECODERS: &str = "h264,hevc,mpeg4,vp8,libvpx,vp9,libvpx-vp9,libdav1d,libaom-av1,av1,aac,mp3,mp3float,opus,libopus,\
                        vorbis,flac,alac,pcm_u8,pcm_s16le,pcm_s24le,pcm_s32le,pcm_f32le,pcm_f64le,pcm_alaw,pcm_mulaw,\
                        pcm_s16be,pcm_s24be";
/// Codecs whose streams have messages between the pictures, as ffmpeg calls them.
const H264: &str = "h264";
const HEVC: &str = "hevc";
/// What ffprobe may say.
const FACTS_BYTES: u64 = 64 << 10;
/// What a first frame may take as PNG, scaled to [`POSTER_SIDE`].
const FRAME_BYTES: u64 = 64 << 20;
/// The longer side of a poster.
const POSTER_SIDE: u32 = 2048;
/// Files that the process may have open, its libraries among them.
const OPEN_FILES: u64 = 128;

/// ffmpeg and ffprobe on this machine. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Ffmpeg {
    ffmpeg: PathBuf,
    ffprobe: PathBuf,
    limit: Duration,
    memory_bytes: u64,
}

impl Ffmpeg {
    /// The programs in the folder that the settings name, else those on the search path and where Homebrew puts them;
    /// `None` where they are switched off or missing.
    pub fn find(settings: &FfmpegSettings, environment: &Environment) -> Option<Self> {
        if !settings.enabled {
            return None;
        }
        let folders = match &settings.programs {
            Some(named) => vec![named.clone()],
            None => {
                let mut folders = environment.program_folders();
                folders.extend(["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map(PathBuf::from));
                folders
            }
        };
        let both = |folder: PathBuf| {
            let (ffmpeg, ffprobe) = (folder.join("ffmpeg"), folder.join("ffprobe"));
            (folder.is_absolute() && ffmpeg.is_file() && ffprobe.is_file()).then_some((ffmpeg, ffprobe))
        };
        let (ffmpeg, ffprobe) = folders.into_iter().find_map(both)?;
        let limit = Duration::from_secs(settings.seconds);
        Some(Self { ffmpeg, ffprobe, limit, memory_bytes: settings.memory_bytes })
    }

    /// Size and length of a video.
    ///
    /// # Errors
    /// Where the file is no video of this kind or beyond the limits; the text says why.
    pub async fn facts(&self, file: &Path, media: MediaType, limits: PictureLimits) -> Result<Facts, String> {
        let mut command = self.command(&self.ffprobe);
        reading(&mut command, media)?.args([
            "-select_streams",
            "v:0",
            "-show_entries",
            "stream=width,height,duration:stream_tags=rotate:stream_side_data=rotation:format=duration",
            "-of",
            "json",
        ]);
        let told = self.run(command.arg(address(file)), FACTS_BYTES).await?;
        let facts = Facts::read(&told)?;
        limits.check(facts.width, facts.height)?;
        Ok(facts)
    }

    /// The first frame, as a PNG that fits [`POSTER_SIDE`].
    ///
    /// # Errors
    /// Where there is none, or it cannot be read within the limits.
    pub async fn first_frame(&self, file: &Path, media: MediaType, limits: PictureLimits) -> Result<Spool, String> {
        let made = made()?;
        let fit = format!(
            "scale='min({POSTER_SIDE},iw)':'min({POSTER_SIDE},ih)':force_original_aspect_ratio=decrease:\
             force_divisible_by=1"
        );
        let mut command = self.command(&self.ffmpeg);
        command.args(["-nostdin", "-max_alloc", &self.memory_bytes.to_string()]);
        reading(&mut command, media)?.args(["-max_pixels", &limits.pixels().to_string(), "-threads", "1"]);
        command.arg("-i").arg(address(file));
        // The first video alone; sound, subtitles and data are not even opened.
        command.args(["-map", "0:v:0", "-an", "-sn", "-dn", "-frames:v", "1", "-filter_threads", "1", "-vf", &fit]);
        command.args(["-threads", "1", "-y", "-c:v", "png", "-f", "image2pipe"]).arg(address(&made));
        self.run_writing(&mut command, FACTS_BYTES, FRAME_BYTES).await?;
        let frame = taken(made).await?;
        if frame.is_empty() { Err("it has no frame".to_owned()) } else { Ok(frame) }
    }

    /// Copies picture and sound, as they are, into a file with nothing else: no tags, chapters, covers, subtitles, tracks
    /// of places, or times. How a film is to be turned stays.
    ///
    /// Between the pictures of H.264 and HEVC stand messages (SEI). Cameras write places and their own names there, and
    /// encoders their settings. ffmpeg cannot part these from the others, so all of them go. With them go hints that a
    /// player can do without: captions, how the two pictures of a 3D film are packed, and the brightness of an HDR film
    /// where only the stream tells it; what the colours are stands elsewhere, and stays. Streams of other codecs are
    /// copied as they are.
    ///
    /// # Errors
    /// Where it cannot be read, or what it plays does not go into the target.
    pub async fn clean(&self, file: &Path, remux: Remux, most_bytes: u64) -> Result<Spool, String> {
        let made = made()?;
        let codec = match remux.target.kind() {
            AssetKind::Video => self.codec(file, remux).await?,
            _ => None,
        };
        let mut command = self.command(&self.ffmpeg);
        command.args(["-nostdin", "-y", "-max_alloc", &self.memory_bytes.to_string()]);
        command.args(["-protocol_whitelist", "file", "-f", remux.demuxer, "-codec_whitelist", DECODERS]);
        command.arg("-i").arg(address(file));
        match remux.target.kind() {
            // `V` leaves covers out.
            AssetKind::Video => command.args(["-map", "0:V:0", "-map", "0:a?"]),
            _ => command.args(["-map", "0:a:0", "-vn"]),
        };
        match codec.as_deref() {
            Some(H264) => command.args(["-bsf:v", "filter_units=remove_types=6"]),
            Some(HEVC) => command.args(["-bsf:v", "filter_units=remove_types=39|40"]),
            _ => &mut command,
        };
        command.args(["-c", "copy", "-sn", "-dn", "-map_metadata", "-1", "-map_chapters", "-1"]);
        // Without this the programs write their names and versions.
        command.args(["-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact"]);
        match remux.muxer {
            "mp4" | "ipod" => command.args(["-movflags", "+faststart", "-write_tmcd", "0"]),
            "mp3" => command.args(["-id3v2_version", "0", "-write_id3v1", "0"]),
            _ => &mut command,
        };
        command.args(["-fs", &most_bytes.to_string(), "-f", remux.muxer]).arg(address(&made));
        self.run_writing(&mut command, FACTS_BYTES, most_bytes).await?;
        if codec.as_deref() == Some(HEVC) {
            let made = made.to_path_buf();
            let blanked = tokio::task::spawn_blocking(move || hevc::blank_messages(&made)).await;
            blanked.map_err(|error| error.to_string())?.map_err(|error| error.to_string())?;
        }
        let copy = taken(made).await?;
        if copy.is_empty() { Err("it plays nothing".to_owned()) } else { Ok(copy) }
    }

    /// The codec of the pictures. Not by ffprobe: it gives up where there is any track beside them that it may not
    /// decode, as subtitles are.
    async fn codec(&self, file: &Path, remux: Remux) -> Result<Option<String>, String> {
        let mut command = self.command(&self.ffmpeg);
        command.args(["-nostdin", "-max_alloc", &self.memory_bytes.to_string()]);
        command.args(["-protocol_whitelist", "file", "-f", remux.demuxer, "-codec_whitelist", DECODERS]);
        command.arg("-i").arg(address(file));
        command.args(["-map", "0:V:0", "-c", "copy", "-frames:v", "1", "-f", "framecrc", "pipe:1"]);
        let told = self.run(&mut command, FACTS_BYTES).await?;
        let told = String::from_utf8_lossy(&told);
        Ok(told.lines().find_map(|line| line.strip_prefix("#codec_id 0: ")).map(|codec| codec.trim().to_owned()))
    }

    /// How long a clean sound or film plays, where the file knows it.
    ///
    /// # Errors
    /// Where ffprobe cannot read it.
    pub async fn length_ms(&self, file: &Path, remux: Remux) -> Result<Option<i64>, String> {
        let mut command = self.command(&self.ffprobe);
        command.args(["-protocol_whitelist", "file", "-f", remux.muxer_read(), "-codec_whitelist", DECODERS]);
        command.args(["-show_entries", "format=duration", "-of", "json"]).arg(address(file));
        let told = self.run(&mut command, FACTS_BYTES).await?;
        facts::length_ms(&told)
    }

    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_clear().args(["-v", "fatal"]).kill_on_drop(true);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        command
    }

    /// What the program writes, if that is at most `most_bytes` and it ends well in time.
    async fn run(&self, command: &mut Command, most_bytes: u64) -> Result<Vec<u8>, String> {
        self.run_writing(command, most_bytes, 0).await
    }

    /// As [`Self::run`], for a program that writes a file of at most `file_bytes`.
    async fn run_writing(&self, command: &mut Command, most_bytes: u64, file_bytes: u64) -> Result<Vec<u8>, String> {
        let mut child = command.spawn().map_err(|error| format!("ffmpeg does not start: {error}"))?;
        self.confine(&child, file_bytes);
        // Dropped with the process where the time is over, which ends it.
        let told = tokio::time::timeout(self.limit, finish(&mut child, most_bytes)).await;
        match told {
            Ok(told) => told,
            Err(_) => {
                drop(child.kill().await);
                Err(format!("it takes ffmpeg more than {} s", self.limit.as_secs()))
            }
        }
    }

    /// Sets the limits of the process that has just begun, and puts it behind whatever people wait for.
    #[cfg(target_os = "linux")]
    fn confine(&self, child: &Child, file_bytes: u64) {
        use rustix::process::{Pid, Resource, Rlimit, prlimit, setpriority_process};
        let Some(pid) = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw) else { return };
        let limits = [
            (Resource::As, self.memory_bytes),
            (Resource::Cpu, self.limit.as_secs()),
            (Resource::Fsize, file_bytes),
            (Resource::Nofile, OPEN_FILES),
            (Resource::Core, 0),
        ];
        for (resource, most) in limits {
            let most = Some(most);
            // A process that has ended already needs no limit.
            if let Err(error) = prlimit(Some(pid), resource, Rlimit { current: most, maximum: most }) {
                tracing::debug!(%error, "ffmpeg is not limited");
            }
        }
        if let Err(error) = setpriority_process(Some(pid), 15) {
            tracing::debug!(%error, "ffmpeg keeps its priority");
        }
    }

    /// Elsewhere ffmpeg's own limits stand alone.
    #[cfg(not(target_os = "linux"))]
    fn confine(&self, _: &Child, _: u64) {}
}

/// Where the programs write.
fn made() -> Result<TempPath, String> {
    let made = tempfile::NamedTempFile::with_prefix("verdigraph-made-").map_err(|error| error.to_string())?;
    Ok(made.into_temp_path())
}

/// What they have written.
async fn taken(made: TempPath) -> Result<Spool, String> {
    Spool::from_file(made).await.map_err(|error| error.to_string())
}

/// Names what may be opened and how it is read; comes before the input.
fn reading(command: &mut Command, media: MediaType) -> Result<&mut Command, String> {
    let demuxer = match media {
        MediaType::Mp4 => "mov",
        MediaType::Webm => "matroska",
        _ => return Err("it is neither MP4 nor WebM".to_owned()),
    };
    Ok(command.args(["-protocol_whitelist", "file", "-f", demuxer, "-codec_whitelist", DECODERS]))
}

/// As an address of a file: a name that begins like an option or a protocol cannot be taken for one.
fn address(file: &Path) -> std::ffi::OsString {
    let mut address = std::ffi::OsString::from("file:");
    address.push(file);
    address
}

async fn finish(child: &mut Child, most_bytes: u64) -> Result<Vec<u8>, String> {
    let mut told = Vec::new();
    if let Some(output) = child.stdout.take() {
        output.take(most_bytes + 1).read_to_end(&mut told).await.map_err(|error| error.to_string())?;
    }
    if told.len() as u64 > most_bytes {
        drop(child.kill().await);
        return Err(format!("ffmpeg writes more than {most_bytes} bytes of it"));
    }
    let status = child.wait().await.map_err(|error| error.to_string())?;
    if status.success() { Ok(told) } else { Err(format!("ffmpeg cannot read it ({status})")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_videos_are_given_to_ffmpeg_and_a_name_is_no_option() {
        assert!(reading(&mut Command::new("ffmpeg"), MediaType::Gif).is_err());
        assert!(reading(&mut Command::new("ffmpeg"), MediaType::Other).is_err());
        assert_eq!(address(Path::new("-y")), "file:-y");
    }

    #[test]
    fn programs_that_are_switched_off_or_elsewhere_are_not_found() {
        let empty = tempfile::tempdir().expect("a folder");
        let settings =
            |enabled, programs| FfmpegSettings { enabled, programs, seconds: 1, memory_bytes: 1, at_once: 1 };
        let here = Environment::of_process();
        assert!(Ffmpeg::find(&settings(false, None), &here).is_none());
        assert!(Ffmpeg::find(&settings(true, Some(empty.path().to_path_buf())), &here).is_none());
    }
}
