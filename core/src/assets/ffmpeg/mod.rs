//! Untrusted videos and sounds: measures them, removes their metadata, and extracts a video's first frame, with ffmpeg
//! if it is installed.
//!
//! User files are read only by another process: without a shell or an environment, with access to this one file (no
//! network, no playlists, no other protocols), with the demuxer of the detected type and decoders of videos that
//! browsers play, and with limits on time, memory, CPU and output. If ffmpeg is missing, disabled or fails, a video has
//! neither size nor poster, and pages draw its first frame themselves.

pub(in crate::assets) mod facts;
mod frames;
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

/// Allowed decoders: what browsers play, and the audio codecs, which are opened when a file is probed.
const DECODERS: &str = "h264,hevc,mpeg4,vp8,libvpx,vp9,libvpx-vp9,libdav1d,libaom-av1,av1,aac,mp3,mp3float,opus,libopus,\
                        vorbis,flac,alac,pcm_u8,pcm_s16le,pcm_s24le,pcm_s32le,pcm_f32le,pcm_f64le,pcm_alaw,pcm_mulaw,\
                        pcm_s16be,pcm_s24be";
/// Codecs whose streams have messages between frames, by ffmpeg's names.
const H264: &str = "h264";
const HEVC: &str = "hevc";
/// Maximum output of ffprobe.
const FACTS_BYTES: u64 = 64 << 10;
/// Maximum size of a first frame as PNG, scaled to [`POSTER_SIDE`].
const FRAME_BYTES: u64 = 64 << 20;
const POSTER_SIDE: u32 = 2048;
/// Including libraries.
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
    /// Finds the programs in the folder of the settings, else on the search path and where Homebrew installs them;
    /// `None` if they are disabled or missing.
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

    /// Size and duration of a video.
    ///
    /// # Errors
    /// The reason, if the file is not a video of this type or beyond the limits.
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
        let output = self.run(command.arg(address(file)), FACTS_BYTES).await?;
        let facts = Facts::read(&output)?;
        limits.check(facts.width, facts.height)?;
        Ok(facts)
    }

    /// The first frame, as a PNG that fits [`POSTER_SIDE`].
    ///
    /// # Errors
    /// If there is none, or it cannot be read within the limits.
    pub async fn first_frame(&self, file: &Path, media: MediaType, limits: PictureLimits) -> Result<Spool, String> {
        let made = output_file()?;
        let fit = format!(
            "scale='min({POSTER_SIDE},iw)':'min({POSTER_SIDE},ih)':force_original_aspect_ratio=decrease:\
             force_divisible_by=1"
        );
        let mut command = self.command(&self.ffmpeg);
        command.args(["-nostdin", "-max_alloc", &self.memory_bytes.to_string()]);
        reading(&mut command, media)?.args(["-max_pixels", &limits.pixels().to_string(), "-threads", "1"]);
        command.arg("-i").arg(address(file));
        // Only the first video stream; audio, subtitles and data are not opened.
        command.args(["-map", "0:v:0", "-an", "-sn", "-dn", "-frames:v", "1", "-filter_threads", "1", "-vf", &fit]);
        command.args(["-threads", "1", "-y", "-c:v", "png", "-f", "image2pipe"]).arg(address(&made));
        self.run_writing(&mut command, FACTS_BYTES, FRAME_BYTES).await?;
        let frame = take_output(made).await?;
        if frame.is_empty() { Err("it has no frame".to_owned()) } else { Ok(frame) }
    }

    /// Copies the video and audio streams unchanged into a file with nothing else: no tags, chapters, covers,
    /// subtitles, tracks of places, or times. A video keeps its orientation.
    ///
    /// H.264 and HEVC have messages (SEI) between frames. Cameras write places and their names there, and encoders
    /// their settings. ffmpeg cannot tell these from others, so all of them are removed. That also removes hints that a
    /// player does not need: captions, the packing of 3D frames, and the brightness of an HDR video if only the stream
    /// states it. The colour space is stated elsewhere and stays. Streams of other codecs are copied unchanged.
    ///
    /// MP3 and FLAC have no container: of an MP3 only its frames are kept, and a FLAC with other data behind its sound is
    /// refused, and encoded again in the next way.
    ///
    /// # Errors
    /// If the file cannot be read, or its streams do not fit into the target.
    pub async fn clean(&self, file: &Path, remux: Remux, most_bytes: u64) -> Result<Spool, String> {
        let made = output_file()?;
        let codec = match remux.target.kind() {
            AssetKind::Video => self.codec(file, remux).await?,
            _ => None,
        };
        let mut command = self.command(&self.ffmpeg);
        command.args(["-nostdin", "-y", "-max_alloc", &self.memory_bytes.to_string()]);
        command.args(["-protocol_whitelist", "file", "-f", remux.demuxer, "-codec_whitelist", DECODERS]);
        command.arg("-i").arg(address(file));
        match remux.target.kind() {
            // `V` excludes covers.
            AssetKind::Video => command.args(["-map", "0:V:0", "-map", "0:a?"]),
            _ => command.args(["-map", "0:a:0", "-vn"]),
        };
        match codec.as_deref() {
            Some(H264) => command.args(["-bsf:v", "filter_units=remove_types=6"]),
            Some(HEVC) => command.args(["-bsf:v", "filter_units=remove_types=39|40"]),
            _ => &mut command,
        };
        command.args(["-c", remux.codec, "-sn", "-dn", "-map_metadata", "-1", "-map_chapters", "-1"]);
        // Otherwise the programs write their names and versions.
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
            blocking(move || hevc::blank_messages(&made)).await?;
        }
        let copy = match remux.target {
            MediaType::Mp3 => blocking(move || frames::mp3_frames(&made)).await?,
            MediaType::Flac => {
                let file = made.to_path_buf();
                if !blocking(move || frames::ends_with_flac_frame(&file)).await? {
                    return Err("other data follows its sound".to_owned());
                }
                take_output(made).await?
            }
            _ => take_output(made).await?,
        };
        if copy.is_empty() { Err("it plays nothing".to_owned()) } else { Ok(copy) }
    }

    /// The video codec. ffprobe cannot be used: it fails if any other track has a decoder that is not allowed, such as
    /// subtitles.
    async fn codec(&self, file: &Path, remux: Remux) -> Result<Option<String>, String> {
        let mut command = self.command(&self.ffmpeg);
        command.args(["-nostdin", "-max_alloc", &self.memory_bytes.to_string()]);
        command.args(["-protocol_whitelist", "file", "-f", remux.demuxer, "-codec_whitelist", DECODERS]);
        command.arg("-i").arg(address(file));
        command.args(["-map", "0:V:0", "-c", "copy", "-frames:v", "1", "-f", "framecrc", "pipe:1"]);
        let output = self.run(&mut command, FACTS_BYTES).await?;
        let lines = String::from_utf8_lossy(&output);
        Ok(lines.lines().find_map(|line| line.strip_prefix("#codec_id 0: ")).map(|codec| codec.trim().to_owned()))
    }

    /// The duration of a clean sound or video, if the file states it.
    ///
    /// # Errors
    /// If ffprobe cannot read it.
    pub async fn length_ms(&self, file: &Path, remux: Remux) -> Result<Option<i64>, String> {
        let mut command = self.command(&self.ffprobe);
        command.args(["-protocol_whitelist", "file", "-f", remux.muxer_read(), "-codec_whitelist", DECODERS]);
        command.args(["-show_entries", "format=duration", "-of", "json"]).arg(address(file));
        let output = self.run(&mut command, FACTS_BYTES).await?;
        facts::length_ms(&output)
    }

    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_clear().args(["-v", "fatal"]).kill_on_drop(true);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        command
    }

    /// The program's output, if it is at most `most_bytes` and it exits successfully in time.
    async fn run(&self, command: &mut Command, most_bytes: u64) -> Result<Vec<u8>, String> {
        self.run_writing(command, most_bytes, 0).await
    }

    /// As [`Self::run`], for a program that writes a file of at most `file_bytes`.
    async fn run_writing(&self, command: &mut Command, most_bytes: u64, file_bytes: u64) -> Result<Vec<u8>, String> {
        let mut child = command.spawn().map_err(|error| format!("ffmpeg does not start: {error}"))?;
        self.confine(&child, file_bytes);
        // On a timeout the child is dropped, which kills it.
        let output = tokio::time::timeout(self.limit, finish(&mut child, most_bytes)).await;
        match output {
            Ok(output) => output,
            Err(_) => {
                drop(child.kill().await);
                Err(format!("ffmpeg takes more than {} s", self.limit.as_secs()))
            }
        }
    }

    /// Limits the started process, and gives it a low priority.
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
            // A process that has exited needs no limit.
            if let Err(error) = prlimit(Some(pid), resource, Rlimit { current: most, maximum: most }) {
                tracing::debug!(%error, "cannot limit ffmpeg");
            }
        }
        if let Err(error) = setpriority_process(Some(pid), 15) {
            tracing::debug!(%error, "cannot lower the priority of ffmpeg");
        }
    }

    /// On other systems only ffmpeg's own limits apply.
    #[cfg(not(target_os = "linux"))]
    fn confine(&self, _: &Child, _: u64) {}
}

/// The output file of a program.
fn output_file() -> Result<TempPath, String> {
    let made = tempfile::NamedTempFile::with_prefix("verdigraph-made-").map_err(|error| error.to_string())?;
    Ok(made.into_temp_path())
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> std::io::Result<T> + Send + 'static) -> Result<T, String> {
    let done = tokio::task::spawn_blocking(work).await.map_err(|error| error.to_string())?;
    done.map_err(|error| error.to_string())
}

async fn take_output(made: TempPath) -> Result<Spool, String> {
    Spool::from_file(made).await.map_err(|error| error.to_string())
}

/// Sets what may be opened and how it is read; must come before the input.
fn reading(command: &mut Command, media: MediaType) -> Result<&mut Command, String> {
    let demuxer = match media {
        MediaType::Mp4 => "mov",
        MediaType::Webm => "matroska",
        _ => return Err("it is neither MP4 nor WebM".to_owned()),
    };
    Ok(command.args(["-protocol_whitelist", "file", "-f", demuxer, "-codec_whitelist", DECODERS]))
}

/// As a `file:` URL, so that a name cannot be read as an option or a protocol.
fn address(file: &Path) -> std::ffi::OsString {
    let mut address = std::ffi::OsString::from("file:");
    address.push(file);
    address
}

async fn finish(child: &mut Child, most_bytes: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    if let Some(output) = child.stdout.take() {
        output.take(most_bytes + 1).read_to_end(&mut bytes).await.map_err(|error| error.to_string())?;
    }
    if bytes.len() as u64 > most_bytes {
        drop(child.kill().await);
        return Err(format!("ffmpeg writes more than {most_bytes} bytes of it"));
    }
    let status = child.wait().await.map_err(|error| error.to_string())?;
    if status.success() { Ok(bytes) } else { Err(format!("ffmpeg cannot read it ({status})")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_videos_are_read_and_names_are_no_options() {
        assert!(reading(&mut Command::new("ffmpeg"), MediaType::Gif).is_err());
        assert!(reading(&mut Command::new("ffmpeg"), MediaType::Other).is_err());
        assert_eq!(address(Path::new("-y")), "file:-y");
    }

    #[test]
    fn disabled_or_missing_programs_are_not_found() {
        let empty = tempfile::tempdir().expect("a folder");
        let settings =
            |enabled, programs| FfmpegSettings { enabled, programs, seconds: 1, memory_bytes: 1, at_once: 1 };
        let here = Environment::of_process();
        assert!(Ffmpeg::find(&settings(false, None), &here).is_none());
        assert!(Ffmpeg::find(&settings(true, Some(empty.path().to_path_buf())), &here).is_none());
    }
}
