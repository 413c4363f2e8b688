//! Deletes old files in the folders that the operator named. Works with directory handles instead of paths, so that no
//! symbolic link leads outside.

use std::ffi::CString;
use std::io::ErrorKind;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat, fstat, fstatvfs, openat, statat, unlinkat};

/// Younger files are never deleted, even if the disk is full: the running prompt may use them.
const MIN_AGE: Duration = Duration::from_secs(3600);
/// Deeper folders are ignored.
const DEPTH: usize = 16;
/// Some nodes write models among the outputs. Models are never deleted.
const MODELS: [&str; 8] = [".safetensors", ".sft", ".ckpt", ".pt", ".pth", ".bin", ".gguf", ".onnx"];

/// The result of one cleaning.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct CleanResult {
    pub files: u64,
    pub bytes: u64,
}

/// A file that may be deleted.
struct Candidate {
    /// Path components below the root, including the name.
    path: Vec<CString>,
    changed_at: i64,
    bytes: u64,
}

/// Deletes files older than `keep`. If less than `free_percent` of the disk is free, deletes the oldest remaining files
/// until it is.
pub fn clean(folder: &Path, keep: Duration, free_percent: u64, now: SystemTime) -> std::io::Result<CleanResult> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let root = openat(CWD, folder, flags, Mode::empty())?;
    let device = fstat(&root)?.st_dev;
    let mut found = Vec::new();
    collect(&root, device, &mut Vec::new(), &mut found);
    found.sort_by_key(|file| file.changed_at);
    let mut cleaned = CleanResult::default();
    for file in found {
        let age =
            now.duration_since(SystemTime::UNIX_EPOCH + Duration::from_secs(file.changed_at.try_into().unwrap_or(0)));
        // A file from the future counts as new.
        let age = age.unwrap_or_default();
        if age < keep && (age < MIN_AGE || !is_short(&root, free_percent)) {
            break;
        }
        if delete(&root, &file).is_ok() {
            cleaned.files += 1;
            cleaned.bytes += file.bytes;
        }
    }
    Ok(cleaned)
}

/// Whether less than `free_percent` of the disk is free.
fn is_short(folder: &OwnedFd, free_percent: u64) -> bool {
    fstatvfs(folder).is_ok_and(|disk| disk.f_bavail.saturating_mul(100) < disk.f_blocks.saturating_mul(free_percent))
}

/// Finds the files below a folder. Skips what cannot be read.
fn collect(folder: &OwnedFd, device: u64, above: &mut Vec<CString>, found: &mut Vec<Candidate>) {
    let Ok(entries) = Dir::read_from(folder) else { return };
    for entry in entries.filter_map(Result::ok) {
        let name = entry.file_name();
        if name.to_bytes() == b"." || name.to_bytes() == b".." {
            continue;
        }
        // Describes a symbolic link itself, not its target.
        let Ok(stat) = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
        if stat.st_dev != device {
            continue;
        }
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile if !is_model(name.to_bytes()) => {
                let path = above.iter().cloned().chain([name.to_owned()]).collect();
                found.push(Candidate {
                    path,
                    changed_at: changed_at(&stat),
                    bytes: stat.st_size.try_into().unwrap_or(0),
                });
            }
            FileType::Directory if above.len() < DEPTH => {
                if let Ok(inner) = enter(folder, name) {
                    above.push(name.to_owned());
                    collect(&inner, device, above, found);
                    above.pop();
                }
            }
            _ => {}
        }
    }
}

#[expect(clippy::useless_conversion, reason = "the system's types differ between machines")]
fn changed_at(stat: &Stat) -> i64 {
    // Moving a file into the folder changes only its ctime.
    i64::from(stat.st_mtime).max(i64::from(stat.st_ctime))
}

fn is_model(name: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    MODELS.iter().any(|ending| name.ends_with(ending.as_bytes()))
}

fn enter(folder: &OwnedFd, name: &std::ffi::CStr) -> rustix::io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat(folder, name, flags, Mode::empty())
}

/// Deletes one file. Opens each folder again without following links, in case one was replaced by a link.
fn delete(root: &OwnedFd, file: &Candidate) -> std::io::Result<()> {
    let (name, folders) = file.path.split_last().ok_or(ErrorKind::InvalidInput)?;
    let mut at: Option<OwnedFd> = None;
    for folder in folders {
        at = Some(enter(at.as_ref().unwrap_or(root), folder)?);
    }
    Ok(unlinkat(at.as_ref().unwrap_or(root), name, AtFlags::empty())?)
}

/// Cleans all folders on a blocking thread. Returns messages for the log.
pub async fn clean_all(folders: Vec<PathBuf>, keep: Duration, free_percent: u64) -> Vec<String> {
    let cleaning = tokio::task::spawn_blocking(move || {
        let told = folders.iter().filter_map(|folder| match clean(folder, keep, free_percent, SystemTime::now()) {
            Ok(CleanResult { files: 0, .. }) => None,
            Ok(CleanResult { files, bytes }) => {
                Some(format!("{files} old files ({bytes} bytes) deleted in {}", folder.display()))
            }
            Err(error) => Some(format!("{} cannot be cleaned: {error}", folder.display())),
        });
        told.collect()
    });
    cleaning.await.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::os::unix::fs::symlink;

    use super::*;

    const DAY: Duration = Duration::from_secs(86_400);

    fn write(path: &Path) {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, b"x").expect("written");
    }

    /// Ages are relative to the given time.
    fn tomorrow() -> SystemTime {
        SystemTime::now() + DAY + DAY
    }

    #[test]
    fn old_files_are_deleted_but_never_through_links() {
        let folder = tempfile::tempdir().expect("a folder");
        let (output, outside) = (folder.path().join("output"), folder.path().join("outside"));
        write(&output.join("a.png"));
        write(&output.join("sub/deep/b.png"));
        write(&outside.join("precious.png"));
        symlink(&outside, output.join("folder")).expect("a link");
        symlink(outside.join("precious.png"), output.join("file.png")).expect("a link");
        symlink("..", output.join("sub/up")).expect("a link");
        let cleaned = clean(&output, DAY, 0, tomorrow()).expect("cleaned");
        assert_eq!(cleaned, CleanResult { files: 2, bytes: 2 });
        assert!(outside.join("precious.png").exists(), "a link led outside");
        assert!(output.join("file.png").symlink_metadata().is_ok(), "a link is no file of ComfyUI's");
        symlink(&outside, folder.path().join("link")).expect("a link");
        assert!(clean(&folder.path().join("link"), DAY, 0, tomorrow()).is_err(), "the folder itself became a link");
        assert!(outside.join("precious.png").exists());
    }

    #[test]
    fn folder_replaced_by_a_link_is_not_entered() {
        let folder = tempfile::tempdir().expect("a folder");
        let (output, outside) = (folder.path().join("output"), folder.path().join("outside"));
        write(&output.join("sub/a.png"));
        write(&outside.join("a.png"));
        let root = File::open(&output).expect("a folder");
        let root = OwnedFd::from(root);
        std::fs::remove_dir_all(output.join("sub")).expect("removed");
        symlink(&outside, output.join("sub")).expect("a link");
        let path = ["sub", "a.png"].map(|name| CString::new(name).expect("a name")).to_vec();
        assert!(delete(&root, &Candidate { path, changed_at: 0, bytes: 1 }).is_err());
        assert!(outside.join("a.png").exists());
    }

    #[test]
    fn models_and_new_files_are_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let output = folder.path().join("output");
        write(&output.join("checkpoints/made.SafeTensors"));
        write(&output.join("a.png"));
        assert_eq!(clean(&output, DAY, 0, SystemTime::now()).expect("cleaned").files, 0, "it is new");
        assert_eq!(clean(&output, DAY, 100, SystemTime::now()).expect("cleaned").files, 0, "of the last hour");
        assert_eq!(clean(&output, DAY, 0, tomorrow()).expect("cleaned").files, 1);
        assert!(output.join("checkpoints/made.SafeTensors").exists());
    }

    #[test]
    fn full_disk_deletes_younger_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let output = folder.path().join("output");
        write(&output.join("a.png"));
        let later = SystemTime::now() + Duration::from_secs(7200);
        assert_eq!(clean(&output, DAY, 0, later).expect("cleaned").files, 0);
        // The disk always has less than 100 % free while it contains a file.
        assert_eq!(clean(&output, DAY, 100, later).expect("cleaned").files, 1);
    }
}
