//! Who this agent is: a secret that is made once and kept, by which the platform knows it again.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use rand::RngExt as _;

/// Reads the identity of the agent of this name, or makes it.
///
/// # Errors
/// The folder cannot be made, read or written.
pub fn known(folder: &Path, name: &str) -> std::io::Result<String> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let path = file(folder, name, "identity");
    match File::open(&path) {
        Ok(mut file) => {
            let mut text = String::new();
            file.read_to_string(&mut text)?;
            let identity = text.trim();
            match identity.len() {
                64 => Ok(identity.to_owned()),
                _ => Err(std::io::Error::new(ErrorKind::InvalidData, format!("{} is damaged", path.display()))),
            }
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let identity = random();
            // Whole or not at all: half an identity would lock this agent out of its own name.
            let draft = file(folder, name, "draft");
            let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
            file.write_all(identity.as_bytes())?;
            file.sync_all()?;
            fs::rename(&draft, &path)?;
            Ok(identity)
        }
        Err(error) => Err(error),
    }
}

/// 256 random bits.
pub fn random() -> String {
    let bytes: [u8; 32] = rand::rng().random();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A file of the agent of this name. Names are the operators', and may be no names of files.
pub fn file(folder: &Path, name: &str, what: &str) -> PathBuf {
    let plain: String = name
        .bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' => char::from(byte).to_string(),
            _ => format!("_{byte:02x}"),
        })
        .collect();
    folder.join(format!("{plain}.{what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_is_the_same_after_a_restart_and_no_other_name_is_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let state = folder.path().join("state");
        let first = known(&state, "gpu 1").expect("made");
        assert_eq!(known(&state, "gpu 1").expect("read"), first);
        assert_ne!(known(&state, "gpu_1").expect("made"), first);
        assert_eq!(file(&state, "../x", "identity").parent(), Some(state.as_path()));
    }

    #[test]
    fn a_damaged_identity_is_said_and_not_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(file(folder.path(), "a", "identity"), "half").expect("written");
        assert!(known(folder.path(), "a").is_err());
    }
}
