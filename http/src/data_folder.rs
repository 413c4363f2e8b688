//! Permissions of the data folder: only the node's user may read what is inside.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use rustix::fs::Mode;
use rustix::process::{geteuid, umask};

/// Mode of a folder that others may not open.
const PRIVATE: u32 = 0o700;
/// Mode of a folder that others may pass through if they know the name of what is inside.
const PASSABLE: u32 = 0o711;
/// The database's folder, whose permissions PostgreSQL manages.
const OF_THE_DATABASE: &str = "postgres";

/// Creates the data folder, or repairs the permissions of an existing one and everything in it. From then on, files
/// that this process writes are readable only by its user.
///
/// PostgreSQL started by a root process runs as another user, who must pass through the data folder (`passed_through`).
/// Everything inside stays closed to that user too.
pub fn secure(folder: &Path, passed_through: bool) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    umask(Mode::RWXG | Mode::RWXO);
    let wanted = if passed_through && geteuid().is_root() { PASSABLE } else { PRIVATE };
    if mode(folder)? == wanted {
        return Ok(());
    }
    close_inside(folder)?;
    // Last, so that an interrupted repair starts again at the next start.
    fs::set_permissions(folder, Permissions::from_mode(wanted))
}

fn mode(path: &Path) -> io::Result<u32> {
    Ok(fs::symlink_metadata(path)?.permissions().mode() & 0o777)
}

fn close_inside(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (path, kind) = (entry.path(), entry.file_type()?);
        if kind.is_dir() && entry.file_name() != OF_THE_DATABASE {
            close(&path, PRIVATE)?;
            close_inside(&path)?;
        } else if kind.is_file() {
            close(&path, mode(&path)? & PRIVATE)?;
        }
    }
    Ok(())
}

fn close(path: &Path, wanted: u32) -> io::Result<()> {
    if mode(path)? == wanted { Ok(()) } else { fs::set_permissions(path, Permissions::from_mode(wanted)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn existing_data_folder_is_closed_to_other_users() {
        let folder = tempfile::tempdir().expect("a folder");
        let data = folder.path().join("data");
        fs::create_dir_all(data.join("files/ab")).expect("folders");
        for path in ["", "files", "files/ab"] {
            fs::set_permissions(data.join(path), Permissions::from_mode(0o755)).expect("a mode");
        }
        fs::create_dir_all(data.join("postgres/cluster")).expect("folders");
        for file in ["files/ab/picture", "demo-accounts.json", "postgres/cluster/own"] {
            fs::write(data.join(file), "x").expect("a file");
            fs::set_permissions(data.join(file), Permissions::from_mode(0o644)).expect("a mode");
        }
        secure(&data, false).expect("a mended folder");
        let modes = ["", "files", "files/ab", "files/ab/picture", "demo-accounts.json", "postgres/cluster/own"];
        let modes = modes.map(|path| mode(&data.join(path)).expect("a mode"));
        assert_eq!(modes, [0o700, 0o700, 0o700, 0o600, 0o600, 0o644], "the last one is the database's own");
        fs::write(data.join("new"), "x").expect("a file");
        assert_eq!(mode(&data.join("new")).expect("a mode"), 0o600, "a later file can be read by others");
    }
}
