//! Finds PostgreSQL's programs.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use crate::settings::Environment;

/// Folders that contain `initdb` and `postgres`, in order of preference: the configured one, `PATH`, those of Debian
/// and Homebrew (highest version first), then the copy in the data folder.
pub(super) fn folders(named: Option<&Path>, environment: &Environment, data: &Path) -> Vec<PathBuf> {
    if let Some(named) = named {
        return Some(named.to_path_buf()).filter(|folder| complete(folder)).into_iter().collect();
    }
    let mut found = environment.program_folders();
    found.extend(versions(Path::new("/usr/lib/postgresql"), ""));
    found.extend(versions(Path::new("/opt/homebrew/opt"), "postgresql@"));
    found.extend(versions(Path::new("/usr/local/opt"), "postgresql@"));
    found.push(data.join("pg/native/bin"));
    found.retain(|folder| folder.is_absolute() && complete(folder));
    found
}

fn complete(folder: &Path) -> bool {
    folder.join("initdb").is_file() && folder.join("postgres").is_file()
}

/// `<root>/<prefix><version>/bin` for every installed version, the highest first.
fn versions(root: &Path, prefix: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(root) else { return Vec::new() };
    let mut found: Vec<(u32, PathBuf)> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let version = entry.file_name().to_str()?.strip_prefix(prefix)?.parse().ok()?;
            Some((version, entry.path().join("bin")))
        })
        .collect();
    found.sort_by_key(|(version, _)| Reverse(*version));
    found.into_iter().map(|(_, folder)| folder).collect()
}

/// The major version in the output of `postgres --version`: `postgres (PostgreSQL) 15.18 (Debian …)`.
pub(super) fn major(version: &str) -> Option<&str> {
    let number = version.split("(PostgreSQL) ").nth(1)?;
    let end = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.trim_end().len());
    number.get(..end).filter(|major| !major.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn major_version_is_parsed_from_releases_and_betas() {
        assert_eq!(major("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n"), Some("15"));
        assert_eq!(major("postgres (PostgreSQL) 18beta2\n"), Some("18"));
        assert_eq!(major("postgres (PostgreSQL) 9\n"), Some("9"));
        assert_eq!(major("something else"), None);
    }

    #[test]
    fn folders_need_both_programs_and_a_configured_one_is_exclusive() {
        let root = tempfile::tempdir().expect("a folder");
        let bin = root.path().join("data/pg/native/bin");
        std::fs::create_dir_all(&bin).expect("a folder");
        std::fs::write(bin.join("initdb"), "").expect("a file");
        let data = root.path().join("data");
        assert!(!folders(None, &Environment::default(), &data).contains(&bin), "postgres is missing there");
        std::fs::write(bin.join("postgres"), "").expect("a file");
        assert!(folders(None, &Environment::default(), &data).contains(&bin));
        assert_eq!(folders(Some(root.path()), &Environment::default(), &data), Vec::<PathBuf>::new());
    }
}
