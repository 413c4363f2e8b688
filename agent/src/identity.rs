//! The agent's identity: a secret that is generated once and stored, by which the platform recognizes the agent.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use rand::RngExt as _;

/// Reads the identity of the agent with this name, or creates it.
pub fn load_or_create(folder: &Path, name: &str) -> std::io::Result<String> {
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
            // Written atomically: a truncated identity would lock this agent out of its own name.
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

/// A state file of the agent with this name. Characters that are unsafe in file names are escaped.
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
    fn identity_is_stable_per_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let state = folder.path().join("state");
        let first = load_or_create(&state, "gpu 1").expect("made");
        assert_eq!(load_or_create(&state, "gpu 1").expect("read"), first);
        assert_ne!(load_or_create(&state, "gpu_1").expect("made"), first);
        assert_eq!(file(&state, "../x", "identity").parent(), Some(state.as_path()));
    }

    #[test]
    fn damaged_identity_is_an_error_and_not_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(file(folder.path(), "a", "identity"), "half").expect("written");
        assert!(load_or_create(folder.path(), "a").is_err());
    }
}
