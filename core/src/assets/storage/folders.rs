//! New folders of a local storage: created before the file that needs them, and synced to disk while it is written.
//!
//! `LocalFileSystem` syncs new folders one after the other and begins to write the file then. A file system with a
//! journal writes syncs together that are asked for at the same time.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use futures_util::future::try_join_all;
use object_store::path::Path as ObjectPath;

/// The folder of a local storage.
#[derive(Debug, Clone)]
pub(super) struct LocalFolders {
    root: PathBuf,
}

/// Folders with new entries that are not synced yet.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ChangedFolders(Vec<PathBuf>);

impl LocalFolders {
    pub fn new(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    /// Creates the missing folders of an object.
    pub async fn create(&self, object: &ObjectPath) -> io::Result<ChangedFolders> {
        let name: &str = object.as_ref();
        let (root, file) = (self.root.clone(), self.root.join(name));
        tokio::task::spawn_blocking(move || create_missing(&root, &file)).await.map_err(io::Error::other)
    }
}

impl ChangedFolders {
    /// Syncs all of them. The object's own folder is not among them: its writer syncs it after the file.
    pub async fn sync(self) -> io::Result<()> {
        let syncs = self.0.into_iter().map(|folder| async move {
            let synced = tokio::task::spawn_blocking(move || File::open(folder)?.sync_all());
            synced.await.map_err(io::Error::other)?
        });
        try_join_all(syncs).await.map(drop)
    }
}

/// Creates the missing folders of a file. Blocking.
fn create_missing(root: &Path, file: &Path) -> ChangedFolders {
    let above = file.ancestors().skip(1).take_while(|folder| *folder != root);
    let mut missing: Vec<&Path> = above.take_while(|folder| !folder.exists()).collect();
    let mut changed = Vec::with_capacity(missing.len());
    while let Some(folder) = missing.pop() {
        match std::fs::create_dir(folder) {
            Ok(()) => {}
            // Another write creates it, and may not have synced it yet.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            // The write of the file fails for the same reason, and reports it.
            Err(_) => break,
        }
        changed.extend(folder.parent().map(Path::to_owned));
    }
    ChangedFolders(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn folders_with_new_entries_are_synced_once() {
        let root = tempfile::tempdir().expect("a folder");
        let (root, folders) = (root.path(), LocalFolders::new(root.path()));
        let changed = |of: &[&str]| ChangedFolders(of.iter().map(|folder| root.join(folder)).collect());
        for (object, expected) in [
            ("raw/ab/cd/abcd", changed(&["", "raw", "raw/ab"])),
            ("raw/ab/ef/abef", changed(&["raw/ab"])),
            ("raw/ab/cd/abce", changed(&[])),
        ] {
            let created = folders.create(&ObjectPath::from(object)).await.expect("folders");
            assert_eq!(created, expected, "{object}");
            created.sync().await.expect("synced folders");
            assert!(root.join(object).parent().is_some_and(Path::is_dir), "{object}");
        }
    }

    #[tokio::test]
    async fn folder_that_cannot_be_created_is_left_to_the_write() {
        let root = tempfile::tempdir().expect("a folder");
        std::fs::write(root.path().join("raw"), "a file in its place").expect("a file");
        let folders = LocalFolders::new(root.path());
        let created = folders.create(&ObjectPath::from("raw/ab/cd/abcd")).await.expect("no folders");
        assert_eq!(created, ChangedFolders::default());
    }

    #[tokio::test]
    async fn folder_that_cannot_be_synced_is_an_error() {
        let root = tempfile::tempdir().expect("a folder");
        let gone = ChangedFolders(vec![root.path().join("gone")]);
        assert_eq!(gone.sync().await.expect_err("no such folder").kind(), io::ErrorKind::NotFound);
    }
}
