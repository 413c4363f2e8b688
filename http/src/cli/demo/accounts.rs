//! The demo's accounts: random passwords, one key each, in a file that only the operator can read.

use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use rand::RngExt as _;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::cli::client::{Client, text_at};
use crate::cli::failure::Failure;
use crate::cookies;

/// The file in the data folder.
pub const FILE: &str = "demo-accounts.json";
/// E-mail address, name and role of each account.
const PEOPLE: [(&str, &str, &str); 4] = [
    ("admin@demo.verdigraph.example", "Demo Admin", "Admin"),
    ("ines@demo.verdigraph.example", "Ines Duarte", "Customer"),
    ("jonas@demo.verdigraph.example", "Jonas Weber", "Customer"),
    ("haneul@demo.verdigraph.example", "Haneul Park", "Customer"),
];
const PASSWORD_CHARACTERS: &[u8] = b"ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";
const PASSWORD_LENGTH: usize = 20;

/// One account of the file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    pub email: String,
    pub password: String,
    /// Empty until the account exists.
    pub api_key: String,
    pub role: String,
}

/// The data folder's accounts; new ones with random passwords if there are none.
pub fn load(data: &Path) -> Result<Vec<Account>, Failure> {
    let path = data.join(FILE);
    match std::fs::read_to_string(&path) {
        Ok(text) => serde_json::from_str(&text).map_err(|error| Failure::usage(format!("{}: {error}", path.display()))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let accounts: Vec<Account> = PEOPLE
                .iter()
                .map(|(email, _, role)| Account {
                    email: (*email).to_owned(),
                    password: password(),
                    api_key: String::new(),
                    role: (*role).to_owned(),
                })
                .collect();
            // Written before any account is created: an interrupted start continues with the same passwords.
            save(data, &accounts)?;
            Ok(accounts)
        }
        Err(error) => Err(Failure::usage(format!("{}: {error}", path.display()))),
    }
}

/// Writes the file, readable only by its owner.
fn save(data: &Path, accounts: &[Account]) -> Result<(), Failure> {
    let path = data.join(FILE);
    let partial = data.join(format!("{FILE}.part"));
    let write = || -> std::io::Result<()> {
        let text = serde_json::to_string_pretty(accounts)?;
        let mut file = std::fs::File::options().create(true).truncate(true).write(true).mode(0o600).open(&partial)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&partial, &path)
    };
    write().map_err(|error| Failure::usage(format!("{}: {error}", path.display())))
}

/// Creates missing accounts; `true` if any was created.
pub async fn ensure(client: &Client, data: &Path, accounts: &mut [Account]) -> Result<bool, Failure> {
    let mut made = false;
    for place in 0..accounts.len() {
        let Some(account) = accounts.get(place).filter(|account| account.api_key.is_empty()).cloned() else { continue };
        let api_key = make(client, &account).await?;
        if let Some(account) = accounts.get_mut(place) {
            account.api_key = api_key;
        }
        save(data, accounts)?;
        made = true;
    }
    Ok(made)
}

/// Signs up, or signs in if the account exists, and creates a key.
async fn make(client: &Client, account: &Account) -> Result<String, Failure> {
    let name = PEOPLE.iter().find(|(email, ..)| *email == account.email).map_or("Demo", |(_, name, _)| name);
    let form = json!({
        "email": account.email, "password": account.password, "name": name, "language": "en",
        "termsAccepted": true, "privacyAccepted": true,
    });
    let session = match client.post_with("/api/auth/signup/email-password", &[], &form).await {
        Err(failure) if failure.code.as_deref() == Some("AUTH_ALREADY_EMAIL") => {
            let form = json!({ "email": account.email, "password": account.password });
            client.post_with("/api/auth/login/email-password", &[], &form).await?
        }
        other => other?,
    };
    let cookie = |name: &str| {
        session.headers().get_all("set-cookie").iter().filter_map(|value| value.to_str().ok()).find_map(|text| {
            let (own, rest) = text.split_once('=')?;
            (own == name).then(|| rest.split(';').next().unwrap_or_default().to_owned())
        })
    };
    let (Some(token), Some(xsrf)) = (cookie(cookies::SESSION), cookie(cookies::XSRF)) else {
        return Err(Failure::server("signing in was answered without cookies"));
    };
    let cookies = format!("{}={token}; {}={xsrf}", cookies::SESSION, cookies::XSRF);
    let headers = [("cookie", cookies.as_str()), (cookies::XSRF_HEADER, xsrf.as_str())];
    let key: Value =
        client.post_with("/api/general/api-key", &headers, &json!({ "name": "demo" })).await?.json().await?;
    text_at(&key, "key").ok_or_else(|| Failure::server("the response has no key"))
}

fn password() -> String {
    let mut random = rand::rng();
    let pick = |_| {
        let place = random.random_range(0..PASSWORD_CHARACTERS.len());
        PASSWORD_CHARACTERS.get(place).copied().map_or('x', char::from)
    };
    (0..PASSWORD_LENGTH).map(pick).collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn passwords_are_random_kept_and_private() {
        let folder = tempfile::tempdir().unwrap();
        let first = load(folder.path()).unwrap();
        let mode = std::fs::metadata(folder.path().join(FILE)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let again = load(folder.path()).unwrap();
        assert_eq!(first[0].password, again[0].password, "a second start must keep the passwords");
        let other = load(tempfile::tempdir().unwrap().path()).unwrap();
        assert_ne!(first[0].password, other[0].password);
        assert_eq!(first.iter().filter(|account| account.role == "Admin").count(), 1);
    }
}
