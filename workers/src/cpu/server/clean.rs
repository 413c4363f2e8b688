//! Deletes files a day after they were last written or read by a node. Clients that need them longer download them.

use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::cpu::node::Folders;

/// Age at which an unused file is deleted.
const MAX_AGE: Duration = Duration::from_secs(24 * 60 * 60);
const SWEEP_INTERVAL: Duration = Duration::from_secs(60 * 60);

/// Sweeps every hour until the process ends.
pub(super) fn run_cleanup(folders: Folders) {
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(SWEEP_INTERVAL).await;
            let folders = folders.clone();
            // Fails only when the process ends.
            drop(tokio::task::spawn_blocking(move || sweep(&folders, SystemTime::now())).await);
        }
    });
}

/// Deletes files older than a day from the input, output and temp folders, and then empty folders.
pub(super) fn sweep(folders: &Folders, now: SystemTime) {
    for folder in [&folders.input, &folders.output, &folders.temp] {
        if let Err(error) = sweep_folder(folder, now) {
            tracing::warn!(target: "verdigraph::cpu", %error, "cannot delete old files in {}", folder.display());
        }
    }
}

fn sweep_folder(folder: &Path, now: SystemTime) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let (path, facts) = (entry.path(), entry.metadata()?);
        if facts.is_dir() {
            sweep_folder(&path, now)?;
            // Fails for a folder that is not empty.
            drop(std::fs::remove_dir(&path));
        } else if now.duration_since(facts.modified()?).is_ok_and(|age| age > MAX_AGE) {
            std::fs::remove_file(&path)?;
        }
    }
    Ok(())
}

/// Marks a file as used, which keeps it for another day.
pub(in crate::cpu) fn touch(path: &Path) {
    // Without write permission the file is used anyway.
    drop(std::fs::File::options().append(true).open(path).and_then(|file| file.set_modified(SystemTime::now())));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_deleted_a_day_after_last_use() {
        let data = tempfile::tempdir().unwrap();
        let folder = |name: &str| data.path().join(name);
        let folders = Folders { input: folder("input"), output: folder("output"), temp: folder("temp") };
        let now = SystemTime::now();
        for (folder, name) in [("input", "a"), ("output/deep/er", "b"), ("temp", "c")] {
            let folder = data.path().join(folder);
            std::fs::create_dir_all(&folder).unwrap();
            for (name, hours) in [(format!("{name}-old"), 25), (format!("{name}-new"), 23)] {
                std::fs::write(folder.join(&name), "x").unwrap();
                let file = std::fs::File::options().append(true).open(folder.join(&name)).unwrap();
                file.set_modified(now - Duration::from_secs(hours * 3600)).unwrap();
            }
        }
        std::fs::remove_file(data.path().join("output/deep/er/b-new")).unwrap();
        let used = data.path().join("input/used");
        std::fs::write(&used, "x").unwrap();
        std::fs::File::options().append(true).open(&used).unwrap().set_modified(now - MAX_AGE * 2).unwrap();
        touch(&used);
        sweep(&folders, now);
        let left = |folder: &str| {
            let mut names: Vec<_> =
                std::fs::read_dir(data.path().join(folder)).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            names.sort();
            names
        };
        assert_eq!(left("input"), ["a-new", "used"]);
        assert_eq!(left("temp"), ["c-new"]);
        assert!(left("output").is_empty(), "a folder without files is of no use");
    }
}
