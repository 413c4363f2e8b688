//! Limits of what a user's node editor may store.

use bytes::Bytes;

use crate::{Code, Error, Result};

/// The largest file. A workflow with many pictures in its notes has a few megabytes.
pub const MAX_FILE_BYTES: usize = 8 << 20;
/// The largest body of changed settings, and the size of all settings of a user.
pub const MAX_SETTINGS_BYTES: usize = 1 << 20;

const MAX_SETTINGS: u64 = 2000;
const MAX_ID_BYTES: usize = 200;
const MAX_FILES: u64 = 2000;
const MAX_FILES_BYTES: u64 = 128 << 20;

/// How many entries a user has, and their size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Usage {
    pub count: u64,
    pub bytes: u64,
}

pub(super) fn check_ids<'a>(mut ids: impl Iterator<Item = &'a String>) -> Result<()> {
    let is_id = |id: &str| (1..=MAX_ID_BYTES).contains(&id.len()) && !id.chars().any(char::is_control);
    match ids.all(|id| is_id(id.as_str())) {
        true => Ok(()),
        false => Err(Error::invalid("id", format!("the id of a setting has 1 to {MAX_ID_BYTES} characters"))),
    }
}

pub(super) fn check_settings(used: Usage) -> Result<()> {
    check(used, "settings", MAX_SETTINGS, MAX_SETTINGS_BYTES as u64)
}

pub(super) fn check_file(content: &Bytes) -> Result<()> {
    match content.len() <= MAX_FILE_BYTES {
        true => Ok(()),
        false => Err(Error::FileTooLarge { limit_bytes: MAX_FILE_BYTES as u64 }),
    }
}

pub(super) fn check_files(used: Usage) -> Result<()> {
    check(used, "files", MAX_FILES, MAX_FILES_BYTES)
}

fn check(used: Usage, what: &str, most: u64, most_bytes: u64) -> Result<()> {
    if used.count <= most && used.bytes <= most_bytes {
        return Ok(());
    }
    let message =
        format!("the node editor keeps at most {most} {what} of {most_bytes} bytes together; delete some first");
    Err(Error::refused(Code::StorageFull, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_or_byte_too_many_is_refused() {
        let full = Usage { count: MAX_FILES, bytes: MAX_FILES_BYTES };
        assert!(check_files(full).is_ok());
        for over in [Usage { count: MAX_FILES + 1, bytes: 0 }, Usage { count: 1, bytes: MAX_FILES_BYTES + 1 }] {
            assert_eq!(check_files(over).map_err(|error| error.code()), Err(Code::StorageFull), "{over:?}");
        }
        assert!(check_file(&Bytes::from(vec![0; MAX_FILE_BYTES])).is_ok());
        assert!(matches!(check_file(&Bytes::from(vec![0; MAX_FILE_BYTES + 1])), Err(Error::FileTooLarge { .. })));
    }

    #[test]
    fn empty_long_and_control_ids_are_refused() {
        let check = |id: &str| check_ids([id.to_owned()].iter());
        assert!(check("Comfy.Locale").is_ok() && check(&"a".repeat(MAX_ID_BYTES)).is_ok());
        for id in ["", "a\0b", &"a".repeat(MAX_ID_BYTES + 1)] {
            assert!(matches!(check(id), Err(Error::Invalid { .. })), "{id:?} was stored");
        }
    }
}
