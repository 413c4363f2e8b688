//! The server program under test.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{Error, Result};

/// Which build of the server to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Binary {
    /// The release build, brought up to date with cargo. Used for figures.
    Release,
    /// The existing debug build. For checks of behavior, not of speed.
    Debug,
    At(PathBuf),
}

impl Binary {
    /// The program's path, built if needed.
    pub fn find(&self) -> Result<PathBuf> {
        let file = match self {
            Self::Release => {
                build()?;
                build_folder().join("release/verdigraph")
            }
            Self::Debug => build_folder().join("debug/verdigraph"),
            Self::At(file) => file.clone(),
        };
        if file.is_file() {
            return Ok(file.canonicalize()?);
        }
        Err(Error::Other(format!(
            "{} is not there: build it with cargo build -p verdigraph-http --bin verdigraph, or name another with \
             --binary",
            file.display()
        )))
    }
}

#[must_use]
pub fn workspace() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own)
}

/// Cargo's target folder, which contains this program.
#[must_use]
pub fn build_folder() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    let tagged = program.ancestors().find(|folder| folder.join("CACHEDIR.TAG").is_file());
    tagged.map_or_else(|| workspace().join("target"), Path::to_path_buf)
}

fn build() -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--release", "--locked", "--quiet", "-p", "verdigraph-http", "--bin", "verdigraph"])
        .arg("--target-dir")
        .arg(build_folder())
        .current_dir(workspace())
        .status()
        .map_err(Error::doing("cannot run cargo"))?;
    if status.success() { Ok(()) } else { Err(Error::Other(format!("cannot build the server: cargo {status}"))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_program_error_says_what_to_do() {
        let folder = tempfile::tempdir().expect("a folder");
        let error = Binary::At(folder.path().join("verdigraph")).find().expect_err("there is none");
        assert!(error.to_string().contains("--binary"), "{error}");
        assert!(workspace().join("Cargo.lock").is_file());
    }
}
