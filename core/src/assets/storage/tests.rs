use bytes::Bytes;
use futures_util::TryStreamExt;

use super::*;

#[tokio::test]
async fn bytes_are_read_whole_and_in_parts_until_they_are_deleted() {
    let folder = tempfile::tempdir().expect("a folder");
    let storage = Storage::local(folder.path()).expect("a storage");
    let content = storage.put(Bytes::from_static(b"hello world")).await.expect("a name");
    assert_eq!(content.as_str(), "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9");
    assert_eq!(storage.put(Bytes::from_static(b"hello world")).await.expect("a name"), content);
    assert_eq!(storage.get(&content).await.expect("the bytes"), "hello world");
    assert_eq!(storage.get_range(&content, 6..9).await.expect("a part"), "wor");
    assert_eq!(storage.get_range(&content, 6..900).await.expect("a cut part"), "world");
    assert_eq!(storage.get_range(&content, 11..12).await.expect("nothing"), "");
    assert_eq!(storage.size(&content).await.expect("a size"), 11);
    storage.delete(&content).await.expect("a deletion");
    storage.delete(&content).await.expect("a second deletion");
    assert!(!storage.exists(&content).await.expect("an answer"));
    assert!(matches!(storage.get(&content).await, Err(Error::NotFound { .. })));
}

#[tokio::test]
async fn files_in_the_trash_are_read_restored_and_deleted_completely() {
    let folder = tempfile::tempdir().expect("a folder");
    let storage = Storage::local(folder.path()).expect("a storage");
    let content = storage.put(Bytes::from_static(b"hello world")).await.expect("a name");
    storage.put_form(&content, Form::Optimal, Bytes::from_static(b"poster")).await.expect("a poster");
    let name = storage.put_embedded(&content, &Bytes::from_static(b"text").into()).await.expect("a splice");
    storage.move_to_trash(&content).await.expect("a move to the trash");
    storage.move_to_trash(&content).await.expect("a second move");
    assert!(!storage.is_in_place(&content).await.expect("an answer"));
    assert_eq!(storage.get(&content).await.expect("the bytes"), "hello world");
    assert_eq!(storage.get_range(&content, 6..9).await.expect("a part"), "wor");
    assert_eq!(storage.get_form(&content, Form::Optimal).await.expect("the poster"), "poster");
    assert_eq!(storage.get_embedded(&content, &name).await.expect("the splice").head(), b"text");
    storage.restore_from_trash(&content).await.expect("a restore");
    assert!(storage.is_in_place(&content).await.expect("an answer"));
    let listed: Vec<StoredObject> = storage.list().try_collect().await.expect("a list");
    assert_eq!(listed.iter().map(|one| one.size).sum::<u64>(), 21);
    assert!(listed.iter().all(|one| one.content == content), "{listed:?}");
    assert_eq!(storage.get_embedded(&content, &name).await.expect("the splice").head(), b"text");
    // Stored again while a copy is in the trash: both are deleted.
    storage.move_to_trash(&content).await.expect("a move to the trash");
    storage.put(Bytes::from_static(b"hello world")).await.expect("a name");
    storage.put_embedded(&content, &Bytes::from_static(b"text").into()).await.expect("a splice");
    storage.delete(&content).await.expect("a deletion");
    assert!(storage.list().try_next().await.expect("a list").is_none(), "something is left");
}

#[tokio::test]
async fn large_file_is_stored_and_read_in_pieces() {
    let folder = tempfile::tempdir().expect("a folder");
    let storage = Storage::local(folder.path()).expect("a storage");
    let whole: Vec<u8> = (0..LOCAL_PART_BYTES * 4 + 3).map(|at| (at % 253) as u8).collect();
    let mut writer = SpoolWriter::default();
    writer.write(&whole).await.expect("room on the disk");
    let file = writer.finish().await.expect("a file");
    assert!(file.in_memory().is_none());
    let content = file.hash().await.expect("a name");
    storage.put_file(&content, &file).await.expect("a stored file");
    assert_eq!(content, ContentHash::of(&whole));
    assert_eq!(storage.get(&content).await.expect("the bytes"), whole);
    let again = storage.get_file(&content, Form::Raw).await.expect("the file");
    assert!(again.in_memory().is_none(), "a large file is in memory");
    assert_eq!(again.bytes().await.expect("the bytes"), whole);
    let (size, pieces) = storage.stream(&content).await.expect("the file");
    let pieces: Vec<Bytes> = pieces.try_collect().await.expect("pieces");
    assert_eq!((size, pieces.concat()), (whole.len() as u64, whole));
}

#[tokio::test]
async fn truncated_file_is_written_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let storage = Storage::local(folder.path()).expect("a storage");
    let content = storage.put(Bytes::from_static(b"hello world")).await.expect("a name");
    let place = folder.path().join(path(&content, Form::Raw).to_string());
    std::fs::write(&place, "hello").expect("a cut file");
    storage.put(Bytes::from_static(b"hello world")).await.expect("a name");
    assert_eq!(storage.get(&content).await.expect("the bytes"), "hello world");
}
