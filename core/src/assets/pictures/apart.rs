//! Pictures that are worked on in a process of their own, because of what they take: this program once more, which does
//! one [`Task`] and ends.
//!
//! It is given a folder with nothing in it but what it is to read, writes what it makes beside that, and tells the rest
//! on its standard output. It limits itself before it reads, in memory and time; where it dies of that, the picture cannot
//! be read. Nothing that a file does can swell or end the process that serves the API.

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
use super::picture::{Made, Measures, PictureLimits, Task, Wrong};
use crate::assets::media::MediaType;
use crate::assets::storage::spool::{Spool, blocking};
use crate::error::{Error, Result};

/// How long one picture may take, on the clock and on the processor.
const SECONDS: u64 = 120;
/// What it may tell beside the files that it writes.
const TOLD_BYTES: u64 = 64 << 10;
/// Files that the process may have open.
const OPEN_FILES: u64 = 32;
/// Bytes that a pixel takes at the most: as it is decoded, with 16 bits in each of four channels, as it is turned, and as
/// it is made smaller.
const PIXEL_BYTES: u64 = 24;
/// What the process takes beside the picture.
const OWN_BYTES: u64 = 256 << 20;

/// What is done by the other process.
#[derive(Debug, Serialize, Deserialize)]
struct Order {
    /// What is to be read.
    file: PathBuf,
    media: MediaType,
    limits: PictureLimits,
    task: Task,
    /// Where files are written, named by their numbers.
    folder: PathBuf,
}

/// How it went.
#[derive(Debug, Serialize, Deserialize)]
enum Told {
    /// `files` says which of them were written.
    Made {
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

impl From<Wrong> for Told {
    fn from(wrong: Wrong) -> Self {
        match wrong {
            Wrong::Cut => Self::Cut,
            Wrong::Sides { width, height, reason } => Self::Sides { width, height, reason },
            Wrong::Blank => Self::Blank,
            Wrong::Unreadable(reason) => Self::Unreadable(reason),
            // Both are found before anybody asks for a process.
            Wrong::Empty => Self::Unreadable("it is empty".to_owned()),
            Wrong::Format(format) => Self::Unreadable(format!("it is {format}")),
        }
    }
}

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Says with which program pictures are worked on apart: this one, whose command line leads to [`work`]. Without it they
/// are worked on in this process.
pub fn work_with(program: PathBuf) {
    if PROGRAM.set(program).is_err() {
        tracing::debug!("how pictures are worked on was said before");
    }
}

/// The program that is to be used, where there is one.
pub(in crate::assets) fn program() -> Option<&'static Path> {
    PROGRAM.get().map(PathBuf::as_path)
}

/// Has the task done. What is told of a process that dies is that the picture cannot be read.
///
/// # Errors
/// [`Error::Unavailable`] where no process can be started.
pub(in crate::assets) async fn perform(
    program: &Path,
    file: &Spool,
    media: MediaType,
    limits: PictureLimits,
    task: Task,
) -> Result<std::result::Result<Made<Spool>, Wrong>> {
    let file = file.on_disk().await?;
    let folder = blocking(|| TempDir::with_prefix("verdigraph-picture-")).await?;
    let order = Order { file: file.path().to_path_buf(), media, limits, task, folder: folder.path().to_path_buf() };
    let order = serde_json::to_vec(&order).map_err(|error| Error::Internal(format!("a picture's task: {error}")))?;
    let mut command = Command::new(program);
    command
        .arg("picture")
        .env_clear()
        // The allocator else takes a gigabyte of address space for good, which a limit of memory would count.
        .env("MIMALLOC_ARENA_EAGER_COMMIT", "0")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true);
    let mut child = command.spawn().map_err(|error| {
        tracing::error!(%error, "no process can be started for a picture");
        Error::Unavailable { message: "pictures cannot be worked on now".to_owned(), retry_after_seconds: 5 }
    })?;
    let told = tokio::time::timeout(Duration::from_secs(SECONDS), talk(&mut child, &order)).await;
    let told = match told {
        Ok(Ok(told)) => told,
        Ok(Err(reason)) => {
            tracing::warn!(reason, "a picture was too much for its process");
            Told::Unreadable("it takes too much memory or time".to_owned())
        }
        Err(_) => {
            drop(child.kill().await);
            Told::Unreadable(format!("it takes more than {SECONDS} s"))
        }
    };
    let (measures, written) = match told {
        Told::Made { measures, files } => (measures, files),
        Told::Cut => return Ok(Err(Wrong::Cut)),
        Told::Sides { width, height, reason } => return Ok(Err(Wrong::Sides { width, height, reason })),
        Told::Blank => return Ok(Err(Wrong::Blank)),
        Told::Unreadable(reason) => return Ok(Err(Wrong::Unreadable(reason))),
    };
    let mut files = Vec::with_capacity(written.len());
    for (number, written) in written.into_iter().enumerate() {
        let path = folder.path().join(number.to_string());
        files.push(if written { Some(taken(path).await?) } else { None });
    }
    Ok(Ok(Made { measures, files }))
}

/// A file that the process has written, out of its folder.
async fn taken(path: PathBuf) -> Result<Spool> {
    let moved = blocking(move || {
        let place = tempfile::NamedTempFile::with_prefix("verdigraph-file-")?.into_temp_path();
        std::fs::rename(&path, &place)?;
        Ok::<TempPath, io::Error>(place)
    });
    Spool::from_file(moved.await?).await
}

/// Gives the order and hears how it went.
async fn talk(child: &mut Child, order: &[u8]) -> std::result::Result<Told, String> {
    let text = |error: io::Error| error.to_string();
    let mut input = child.stdin.take().ok_or("it has no standard input")?;
    input.write_all(order).await.map_err(text)?;
    drop(input);
    let mut told = Vec::new();
    let output = child.stdout.take().ok_or("it has no standard output")?;
    output.take(TOLD_BYTES).read_to_end(&mut told).await.map_err(text)?;
    let status = child.wait().await.map_err(text)?;
    serde_json::from_slice(&told).map_err(|_| format!("it ended with {status}"))
}

/// What the other process does: reads one order from its standard input, and tells on its standard output how it went.
///
/// # Errors
/// Where there is no order, or what was made cannot be written.
pub fn work() -> io::Result<()> {
    let mut order = Vec::new();
    io::stdin().lock().take(TOLD_BYTES).read_to_end(&mut order)?;
    let order: Order = serde_json::from_slice(&order)?;
    let length = std::fs::metadata(&order.file)?.len();
    // The file, what is kept of it, and the picture in it.
    confine(length.saturating_mul(3).saturating_add(order.limits.pixels().saturating_mul(PIXEL_BYTES)));
    let bytes = std::fs::read(&order.file)?;
    let told = match perform::perform(&bytes, order.media, order.limits, &order.task) {
        Ok(Made { measures, files }) => {
            for (number, file) in files.iter().enumerate() {
                if let Some(file) = file {
                    std::fs::write(order.folder.join(number.to_string()), file)?;
                }
            }
            Told::Made { measures, files: files.iter().map(Option::is_some).collect() }
        }
        Err(wrong) => wrong.into(),
    };
    Ok(serde_json::to_writer(io::stdout().lock(), &told)?)
}

/// Limits this process, and offers it first where the whole machine runs out of memory.
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
        // Not every system knows every limit.
        if let Err(error) = setrlimit(resource, Rlimit { current: most, maximum: most }) {
            tracing::debug!(%error, "this process is not limited");
        }
    }
    if let Err(error) = std::fs::write("/proc/self/oom_score_adj", "900") {
        tracing::debug!(%error, "the system cannot be told to end this process first");
    }
}
