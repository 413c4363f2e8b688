//! What to run, and with which key.

use std::path::{Path, PathBuf};

use secrecy::SecretString;
use serde::Deserialize;
use uuid::Uuid;

use crate::cli::failure::Failure;

/// The first argument of the command.
#[derive(Debug, PartialEq, Eq)]
pub enum Target {
    /// A file with a prompt in API format.
    Prompt(PathBuf),
    /// A mini app, by its id.
    MiniApp(String),
}

impl Target {
    /// Parses the argument; an address also names the server.
    pub fn parse(text: &str) -> Result<(Self, Option<String>), Failure> {
        if let Ok(id) = Uuid::parse_str(text) {
            return Ok((Self::MiniApp(id.to_string()), None));
        }
        if text.starts_with("http://") || text.starts_with("https://") {
            return Self::from_address(text);
        }
        let path = PathBuf::from(text);
        if path.is_file() {
            return Ok((Self::Prompt(path), None));
        }
        Err(Failure::usage(format!("{text}: no such file, and not the id or address of a mini app")))
    }

    fn from_address(text: &str) -> Result<(Self, Option<String>), Failure> {
        let url = reqwest::Url::parse(text).map_err(|error| Failure::usage(format!("{text}: {error}")))?;
        let id = url
            .path_segments()
            .and_then(|segments| segments.rev().find_map(|segment| Uuid::parse_str(segment).ok()))
            .ok_or_else(|| Failure::usage(format!("{text}: the address of a mini app ends with its id")))?;
        Ok((Self::MiniApp(id.to_string()), Some(url.origin().ascii_serialization())))
    }
}

#[derive(Deserialize)]
struct DemoAccount {
    #[serde(rename = "apiKey")]
    api_key: String,
    role: String,
}

/// The key of a demo customer in `data`, if the server is on this machine and the file can be read.
pub fn demo_key(server: &str, data: &Path) -> Option<SecretString> {
    let host = reqwest::Url::parse(server).ok()?.host_str()?.to_owned();
    if !matches!(host.as_str(), "localhost" | "127.0.0.1" | "[::1]") {
        return None;
    }
    let text = std::fs::read_to_string(data.join("demo-accounts.json")).ok()?;
    let accounts: Vec<DemoAccount> = serde_json::from_str(&text).ok()?;
    let account = accounts.iter().find(|account| account.role != "Admin").or_else(|| accounts.first())?;
    Some(SecretString::from(account.api_key.clone()))
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret as _;

    use super::*;

    const ID: &str = "0192f0c1-2b3c-7d4e-8f50-123456789abc";

    #[test]
    fn address_names_server_and_app() {
        let (target, origin) = Target::parse(&format!("https://vg.example:8443/easy-app/{ID}?job=1")).unwrap();
        assert_eq!(target, Target::MiniApp(ID.to_owned()));
        assert_eq!(origin.as_deref(), Some("https://vg.example:8443"));
    }

    #[test]
    fn unknown_target_is_a_usage_error() {
        assert_eq!(Target::parse("no-such-file.json").unwrap_err().exit, 2);
        assert_eq!(Target::parse("http://localhost/easy-app/").unwrap_err().exit, 2);
    }

    #[test]
    fn demo_key_is_not_sent_to_another_machine() {
        let folder = tempfile::tempdir().unwrap();
        let file = r#"[{"email":"a","password":"p","apiKey":"vg_admin","role":"Admin"},
                       {"email":"b","password":"p","apiKey":"vg_ann","role":"Customer"}]"#;
        std::fs::write(folder.path().join("demo-accounts.json"), file).unwrap();
        let key = demo_key("http://localhost:18080", folder.path()).expect("a local server gets the demo key");
        assert_eq!(key.expose_secret(), "vg_ann", "a customer's key is preferred to the admin's");
        assert!(demo_key("https://verdigraph.example", folder.path()).is_none());
    }
}
