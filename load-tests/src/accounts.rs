//! Accounts with API keys and sessions, created through core beside the running server.

use std::path::Path;
use std::sync::Arc;

use secrecy::{ExposeSecret as _, SecretString};
use verdigraph_core::ids::UserId;
use verdigraph_core::settings::Settings;
use verdigraph_core::users::{self, Language, RequestOrigin, SignUp};
use verdigraph_core::{Caller, Clock, Core, Parts, database};

use crate::error::{Error, Result};

/// The credentials of a request.
#[derive(Debug, Clone)]
pub enum Proof {
    /// An API key.
    Key(String),
    /// A browser's session token.
    Session(String),
}

impl Proof {
    /// The header lines of a request, each with its line end.
    #[must_use]
    pub fn headers(&self) -> String {
        match self {
            Self::Key(key) => format!("api-key: {key}\r\n"),
            Self::Session(token) => {
                let xsrf = users::xsrf_token(token);
                format!("cookie: vg_session={token}; XSRF-TOKEN={xsrf}\r\nx-xsrf-token: {xsrf}\r\n")
            }
        }
    }
}

/// Creates accounts in the database of a running server. Needs actix's runtime, because a core starts actors.
pub struct AccountFactory {
    core: Core,
}

impl AccountFactory {
    /// Opens a core beside the server's, with default settings. It does not process the queue.
    pub fn new(url: &SecretString, folder: &Path) -> Result<Self> {
        let other = |error: &dyn std::fmt::Display| Error::Other(format!("making accounts: {error}"));
        let settings = Settings::defaults(folder.join("accounts")).map_err(|error| other(&error))?;
        let pool = database::pool(url, &settings.database)?;
        let parts = Parts::start(Arc::new(settings), Clock::System, "load".to_owned(), &pool)?;
        Ok(Self { core: Core::new(pool, Arc::new(parts)) })
    }

    /// Creates accounts with a key each. They have no password: hashing 200 of them would take longer than the run.
    pub async fn keys(&self, count: usize) -> Result<Vec<Proof>> {
        let mut keys = Vec::with_capacity(count);
        for number in 0..count {
            let user = self.person(&format!("load-{number}")).await?;
            let made = users::create_api_key(&self.core, &Caller::customer(user), "load").await?;
            keys.push(Proof::Key(made.key.expose_secret().to_owned()));
        }
        Ok(keys)
    }

    /// A customer on the first plan with a verified address.
    async fn person(&self, name: &str) -> Result<UserId> {
        let user = UserId::new();
        sqlx::query(
            "INSERT INTO users
               (id, email, name, name_tag, plan, terms_accepted_at, privacy_accepted_at, created_at, email_verified_at)
             SELECT $1, $2, $3, 1 + COALESCE(max(name_tag), 0), 'Free', now(), now(), now(), now()
             FROM users WHERE name = $3",
        )
        .bind(user)
        .bind(format!("{user}@example.com"))
        .bind(name)
        .execute(&self.core.db)
        .await?;
        Ok(user)
    }

    /// Creates a key for an existing user and revokes keys of earlier runs.
    pub async fn key_of(&self, user: UserId) -> Result<Proof> {
        let caller = Caller::customer(user);
        for key in users::api_keys(&self.core, &caller).await? {
            users::revoke_api_key(&self.core, &caller, key.id).await?;
        }
        let made = users::create_api_key(&self.core, &caller, "load").await?;
        Ok(Proof::Key(made.key.expose_secret().to_owned()))
    }

    /// Creates accounts with a browser session each.
    pub async fn sessions(&self, count: usize) -> Result<Vec<Proof>> {
        let mut sessions = Vec::with_capacity(count);
        for number in 0..count {
            let form = SignUp {
                email: format!("{}@example.com", uuid::Uuid::new_v4().simple()),
                password: SecretString::from("a password of a load run".to_owned()),
                name: format!("person-{number}"),
                language: Language::En,
                terms_accepted: true,
                privacy_accepted: true,
            };
            let signed_up = users::sign_up(&self.core, &form, &RequestOrigin::default()).await?;
            let without_mail = || Error::Other("accounts need a confirmation mail: leave mail.host unset".to_owned());
            let session = signed_up.session().ok_or_else(without_mail)?;
            sessions.push(Proof::Session(session.token.expose_secret().to_owned()));
        }
        Ok(sessions)
    }

    pub async fn close(self) {
        self.core.db.close().await;
    }
}

/// Reads keys from a file, one per line. Skips empty lines and comments (`#`).
pub fn read_keys(file: &Path) -> Result<Vec<Proof>> {
    let text = std::fs::read_to_string(file).map_err(Error::doing(&file.display().to_string()))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let keys: Vec<Proof> = lines.map(|key| Proof::Key(key.to_owned())).collect();
    if keys.is_empty() { Err(Error::Other(format!("{} has no keys", file.display()))) } else { Ok(keys) }
}
