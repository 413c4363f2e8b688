//! The folder of an embedded PostgreSQL, and the system user that runs it.
//!
//! PostgreSQL refuses to run as root, so a root process runs it as `postgres` or `nobody`. If that user cannot enter
//! the data folder, for example below a home folder, the cluster moves to the system's data folder, and the caller
//! reports it.

use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

use crate::error::{Error, Result};

/// The folder for clusters outside of their data folder.
const SYSTEM_FOLDER: &str = "/var/lib/verdigraph";

/// A system user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Account {
    uid: u32,
    gid: u32,
}

/// The folder of a cluster and the user that owns it.
#[derive(Debug, Clone)]
pub(super) struct Location {
    /// Contains the cluster, its password, log and lock files.
    pub home: PathBuf,
    /// `None` means this process's own user.
    pub account: Option<Account>,
    /// Whether the home is outside the data folder.
    pub moved: bool,
}

impl Location {
    /// Chooses and creates the home for a data folder, which must exist and be absolute.
    pub fn choose(data: &Path) -> Result<Self> {
        let account = if rustix::process::geteuid().is_root() { Some(Account::of_database()?) } else { None };
        let moved = account.is_some_and(|account| !account.reaches(data));
        let home = if moved { Path::new(SYSTEM_FOLDER).join(name_of(data)) } else { data.join("postgres") };
        if moved {
            std::fs::create_dir_all(SYSTEM_FOLDER).map_err(failed("make", Path::new(SYSTEM_FOLDER)))?;
            std::fs::set_permissions(SYSTEM_FOLDER, std::fs::Permissions::from_mode(0o755))
                .map_err(failed("open", Path::new(SYSTEM_FOLDER)))?;
        }
        let location = Self { home, account, moved };
        location.make_folder(&location.home)?;
        Ok(location)
    }

    /// Creates a folder that only the database's user can enter.
    pub fn make_folder(&self, folder: &Path) -> Result<()> {
        std::fs::create_dir_all(folder).map_err(failed("make", folder))?;
        self.own(folder, 0o700)
    }

    /// Gives a file or folder to the database's user.
    pub fn own(&self, path: &Path, mode: u32) -> Result<()> {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).map_err(failed("protect", path))?;
        match self.account {
            Some(Account { uid, gid }) => chown(path, Some(uid), Some(gid)).map_err(failed("hand over", path)),
            None => Ok(()),
        }
    }

    /// A command that runs as the database's user, outside of folders it may not enter, and in its own process group:
    /// Ctrl-C must reach this process first, which then stops the database last.
    pub fn command(&self, program: &Path) -> Command {
        use std::os::unix::process::CommandExt;
        let mut command = Command::new(program);
        command.current_dir("/").process_group(0).env("LC_ALL", "C").env_remove("PGDATA");
        if let Some(Account { uid, gid }) = self.account {
            command.uid(uid).gid(gid);
        }
        command
    }

    /// A folder with programs that the database's user can run: the folder itself, or a copy in the home.
    pub fn runnable(&self, programs: &Path) -> Result<PathBuf> {
        let Some(account) = self.account.filter(|account| !account.reaches(programs)) else {
            return Ok(programs.to_path_buf());
        };
        let tree = programs.parent().unwrap_or(programs);
        let copy = self.home.join("native");
        if !copy.join("bin/postgres").exists() {
            copy_tree(tree, &copy).map_err(failed("copy", tree))?;
        }
        debug_assert!(account.reaches(&self.home), "the home was chosen to be reachable");
        self.make_folder(&copy)?;
        Ok(copy.join(programs.file_name().unwrap_or_default()))
    }
}

impl Account {
    fn of_database() -> Result<Self> {
        let users = std::fs::read_to_string("/etc/passwd").map_err(failed("read", Path::new("/etc/passwd")))?;
        ["postgres", "_postgres", "nobody"].iter().find_map(|name| Self::named(&users, name)).ok_or_else(|| {
            Error::Internal(
                "PostgreSQL does not run as root, and there is no user `postgres` or `nobody` to run it as".to_owned(),
            )
        })
    }

    fn named(users: &str, name: &str) -> Option<Self> {
        let fields: Vec<&str> = users
            .lines()
            .map(|line| line.split(':').collect())
            .find(|fields: &Vec<&str>| fields.first() == Some(&name))?;
        Some(Self { uid: fields.get(2)?.parse().ok()?, gid: fields.get(3)?.parse().ok()? })
    }

    /// Whether every folder of `path`, and `path` itself, can be entered.
    fn reaches(self, path: &Path) -> bool {
        path.ancestors().all(|folder| {
            std::fs::metadata(folder).is_ok_and(|facts| {
                let bit = match (facts.uid() == self.uid, facts.gid() == self.gid) {
                    (true, _) => 0o100,
                    (false, true) => 0o010,
                    (false, false) => 0o001,
                };
                facts.mode() & bit != 0
            })
        })
    }
}

/// A stable, unique name for a data folder.
fn name_of(data: &Path) -> String {
    let digest = Sha256::digest(data.as_os_str().as_encoded_bytes());
    let tail: String = digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    let name: String = data
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '-')
        .take(40)
        .collect();
    format!("{}-{tail}", if name.is_empty() { "data" } else { &name })
}

fn copy_tree(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    std::fs::set_permissions(to, std::fs::Permissions::from_mode(0o755))?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy_tree(&entry.path(), &target)?;
        } else if kind.is_symlink() {
            std::os::unix::fs::symlink(std::fs::read_link(entry.path())?, target)?;
        } else {
            std::fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// Maps an I/O error to an error that names the operation and the path.
pub(super) fn failed(doing: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Error {
    let path = path.display().to_string();
    move |error| Error::Internal(format!("embedded database: cannot {doing} {path}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cluster_name_is_stable_and_unique_per_folder() {
        let (one, other) = (name_of(Path::new("/root/a/.data")), name_of(Path::new("/root/b/.data")));
        assert_eq!(one, name_of(Path::new("/root/a/.data")));
        assert_ne!(one, other);
        assert!(one.starts_with("data-"), "{one}");
    }

    #[test]
    fn database_user_is_found_by_its_exact_name() {
        let users = "root:x:0:0::/root:/bin/sh\nnobody2:x:7:8::/:/bin/false\nnobody:x:65534:65533::/:/bin/false\n";
        assert_eq!(Account::named(users, "nobody"), Some(Account { uid: 65534, gid: 65533 }));
        assert_eq!(Account::named(users, "postgres"), None);
    }

    #[test]
    fn closed_folder_is_not_reachable_for_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("inner");
        std::fs::create_dir(&inner).expect("a folder");
        let stranger = Account { uid: 54321, gid: 54321 };
        let open =
            |mode| std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(mode)).expect("a mode");
        open(0o700);
        assert!(!stranger.reaches(&inner));
        open(0o755);
        assert!(stranger.reaches(&inner));
    }

    #[test]
    fn tree_is_copied_with_its_links() {
        let folder = tempfile::tempdir().expect("a folder");
        let from = folder.path().join("native");
        std::fs::create_dir_all(from.join("lib")).expect("a folder");
        std::fs::write(from.join("lib/libpq.so.5.18"), "x").expect("a file");
        std::os::unix::fs::symlink("libpq.so.5.18", from.join("lib/libpq.so.5")).expect("a link");
        let to = folder.path().join("copy");
        copy_tree(&from, &to).expect("a copy");
        assert_eq!(std::fs::read_link(to.join("lib/libpq.so.5")).expect("a link"), Path::new("libpq.so.5.18"));
        assert_eq!(std::fs::read_to_string(to.join("lib/libpq.so.5")).expect("a file"), "x");
    }
}
