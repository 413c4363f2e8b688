//! Runs one picture [`Task`] in a process of its own, because of its memory: this program, started again.
//!
//! The process gets the path of its input and an empty folder for its outputs, and writes the result to standard
//! output. It limits its own memory and time before it reads; if it dies of that, the picture counts as unreadable. No
//! file can exhaust or crash the process that serves the API.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::OnceLock;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tempfile::{TempDir, TempPath};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, Command};

use super::perform;
use super::picture::{Measures, PictureError, PictureLimits, Task, TaskOutput};
use crate::assets::media::MediaType;
use crate::assets::storage::spool::{Spool, blocking};
use crate::error::{Error, Result};

/// Wall-clock and CPU limit of one picture.
const SECONDS: u64 = 120;
/// Maximum size of the task and of the result, without files.
const MESSAGE_BYTES: u64 = 64 << 10;
const OPEN_FILES: u64 = 32;
/// Maximum bytes per pixel: decoded with 16 bits in four channels, rotated, and resized.
const PIXEL_BYTES: u64 = 24;
/// Memory of the process besides the picture.
const OWN_BYTES: u64 = 256 << 20;

/// The input of the process.
#[derive(Debug, Serialize, Deserialize)]
struct SandboxTask {
    file: PathBuf,
    media: MediaType,
    limits: PictureLimits,
    task: Task,
    /// Output folder; files are named by their number.
    folder: PathBuf,
}

/// The output of the process.
#[derive(Debug, Serialize, Deserialize)]
enum SandboxResult {
    /// `files` tells which files were written.
    Done {
        measures: Option<Measures>,
        files: Vec<bool>,
    },
    Cut,
    Sides {
        width: u32,
        height: u32,
        reason: String,
    },
    Blank,
    Unreadable(String),
}

impl From<PictureError> for SandboxResult {
    fn from(error: PictureError) -> Self {
        match error {
            PictureError::Cut => Self::Cut,
            PictureError::Sides { width, height, reason } => Self::Sides { width, height, reason },
            PictureError::Blank => Self::Blank,
            PictureError::Unreadable(reason) => Self::Unreadable(reason),
            // Both are detected before a process starts.
            PictureError::Empty => Self::Unreadable("it is empty".to_owned()),
            PictureError::Format(format) => Self::Unreadable(format!("it is {format}")),
        }
    }
}

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Sets the program that processes pictures: this one, whose command line leads to [`run_sandbox`]. Without it,
/// pictures are processed in this process.
pub fn set_sandbox_program(program: PathBuf) {
    if PROGRAM.set(program).is_err() {
        tracing::debug!("the sandbox program was set before");
    }
}

pub(in crate::assets) fn program() -> Option<&'static Path> {
    PROGRAM.get().map(PathBuf::as_path)
}

/// Runs the task in the sandbox. If the process dies, the picture counts as unreadable.
///
/// # Errors
/// [`Error::Unavailable`] if no process can be started.
pub(in crate::assets) async fn perform(
    program: &Path,
    file: &Spool,
    media: MediaType,
    limits: PictureLimits,
    task: Task,
) -> Result<std::result::Result<TaskOutput<Spool>, PictureError>> {
    let file = file.on_disk().await?;
    let folder = blocking(|| TempDir::with_prefix("verdigraph-picture-")).await?;
    let message =
        SandboxTask { file: file.path().to_path_buf(), media, limits, task, folder: folder.path().to_path_buf() };
    let message =
        serde_json::to_vec(&message).map_err(|error| Error::Internal(format!("a picture's task: {error}")))?;
    let mut command = Command::new(program);
    command
        .arg("picture")
        .env_clear()
        // The allocator would otherwise reserve a gigabyte of address space, which counts towards the memory limit.
        .env("MIMALLOC_ARENA_EAGER_COMMIT", "0")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true);
    let mut child = command.spawn().map_err(|error| {
        tracing::error!(%error, "cannot start a process for a picture");
        Error::Unavailable { message: "pictures cannot be processed now".to_owned(), retry_after_seconds: 5 }
    })?;
    let result = tokio::time::timeout(Duration::from_secs(SECONDS), exchange(&mut child, &message)).await;
    let result = match result {
        Ok(Ok(result)) => result,
        Ok(Err(reason)) => {
            tracing::warn!(reason, "the process of a picture failed");
            SandboxResult::Unreadable("it takes too much memory or time".to_owned())
        }
        Err(_) => {
            drop(child.kill().await);
            SandboxResult::Unreadable(format!("it takes more than {SECONDS} s"))
        }
    };
    let (measures, written) = match result {
        SandboxResult::Done { measures, files } => (measures, files),
        SandboxResult::Cut => return Ok(Err(PictureError::Cut)),
        SandboxResult::Sides { width, height, reason } => {
            return Ok(Err(PictureError::Sides { width, height, reason }));
        }
        SandboxResult::Blank => return Ok(Err(PictureError::Blank)),
        SandboxResult::Unreadable(reason) => return Ok(Err(PictureError::Unreadable(reason))),
    };
    let mut files = Vec::with_capacity(written.len());
    for (number, written) in written.into_iter().enumerate() {
        let path = folder.path().join(number.to_string());
        files.push(if written { Some(take_file(path).await?) } else { None });
    }
    Ok(Ok(TaskOutput { measures, files }))
}

/// Moves a file that the process wrote out of its folder.
async fn take_file(path: PathBuf) -> Result<Spool> {
    let moved = blocking(move || {
        let place = tempfile::NamedTempFile::with_prefix("verdigraph-file-")?.into_temp_path();
        std::fs::rename(&path, &place)?;
        Ok::<TempPath, io::Error>(place)
    });
    Spool::from_file(moved.await?).await
}

/// Sends the task and reads the result.
async fn exchange(child: &mut Child, message: &[u8]) -> std::result::Result<SandboxResult, String> {
    let text = |error: io::Error| error.to_string();
    let mut input = child.stdin.take().ok_or("it has no standard input")?;
    input.write_all(message).await.map_err(text)?;
    drop(input);
    let mut result = Vec::new();
    let output = child.stdout.take().ok_or("it has no standard output")?;
    output.take(MESSAGE_BYTES).read_to_end(&mut result).await.map_err(text)?;
    let status = child.wait().await.map_err(text)?;
    serde_json::from_slice(&result).map_err(|_| format!("it ended with {status}"))
}

/// Main function of the sandbox: reads one task from standard input and writes the result to standard output.
///
/// # Errors
/// If there is no task, or the outputs cannot be written.
pub fn run_sandbox() -> io::Result<()> {
    let mut message = Vec::new();
    io::stdin().lock().take(MESSAGE_BYTES).read_to_end(&mut message)?;
    let task: SandboxTask = serde_json::from_slice(&message)?;
    let length = std::fs::metadata(&task.file)?.len();
    // The file, its cleaned copy, and the decoded picture.
    confine(length.saturating_mul(3).saturating_add(task.limits.pixels().saturating_mul(PIXEL_BYTES)));
    let bytes = std::fs::read(&task.file)?;
    let result = match perform::perform(&bytes, task.media, task.limits, &task.task) {
        Ok(TaskOutput { measures, files }) => {
            for (number, file) in files.iter().enumerate() {
                if let Some(file) = file {
                    std::fs::write(task.folder.join(number.to_string()), file)?;
                }
            }
            SandboxResult::Done { measures, files: files.iter().map(Option::is_some).collect() }
        }
        Err(error) => error.into(),
    };
    Ok(serde_json::to_writer(io::stdout().lock(), &result)?)
}

/// Limits this process, and makes it the first victim when the machine runs out of memory.
fn confine(picture_bytes: u64) {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let limits = [
        (Resource::Data, picture_bytes.saturating_add(OWN_BYTES)),
        (Resource::Cpu, SECONDS),
        (Resource::Nofile, OPEN_FILES),
        (Resource::Core, 0),
    ];
    for (resource, most) in limits {
        let most = Some(most);
        // Not every system supports every limit.
        if let Err(error) = setrlimit(resource, Rlimit { current: most, maximum: most }) {
            tracing::debug!(%error, "cannot limit this process");
        }
    }
    if let Err(error) = std::fs::write("/proc/self/oom_score_adj", "900") {
        tracing::debug!(%error, "cannot raise the OOM score of this process");
    }
}
