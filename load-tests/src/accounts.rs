//! Who submits: people with API keys and sessions, made through the core's own verbs beside the running server.

use std::path::Path;
use std::sync::Arc;

use secrecy::{ExposeSecret as _, SecretString};
use verdigraph_core::ids::UserId;
use verdigraph_core::settings::Settings;
use verdigraph_core::users::{self, Language, Origin, SignUp};
use verdigraph_core::{Caller, Clock, Core, Parts, database};

use crate::error::{Error, Result};

/// How a request proves who sends it.
#[derive(Debug, Clone)]
pub enum Proof {
    /// A program's key.
    Key(String),
    /// A browser's session token.
    Session(String),
}

impl Proof {
    /// The header lines of a request, each with its end.
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

/// Makes people on the database of a running server. Needs actix's runtime, because a core starts actors.
pub struct Maker {
    core: Core,
}

impl Maker {
    /// A core beside the server's, with the built-in settings; it works on no queue.
    ///
    /// # Errors
    /// The database's address cannot be read, or `folder` cannot be written to.
    pub fn new(url: &SecretString, folder: &Path) -> Result<Self> {
        let other = |error: &dyn std::fmt::Display| Error::Other(format!("making accounts: {error}"));
        let settings = Settings::defaults(folder.join("accounts")).map_err(|error| other(&error))?;
        let pool = database::pool(url, &settings.database)?;
        let parts = Parts::start(Arc::new(settings), Clock::System, "load".to_owned(), &pool)?;
        Ok(Self { core: Core::new(pool, Arc::new(parts)) })
    }

    /// So many people with a key each. They have no password: hashing 200 of them would take longer than the run.
    ///
    /// # Errors
    /// The database refuses something.
    pub async fn keys(&self, count: usize) -> Result<Vec<Proof>> {
        let mut keys = Vec::with_capacity(count);
        for number in 0..count {
            let user = self.person(&format!("load-{number}")).await?;
            let made = users::create_api_key(&self.core, &Caller::customer(user), "load").await?;
            keys.push(Proof::Key(made.key.expose_secret().to_owned()));
        }
        Ok(keys)
    }

    /// A customer on the first plan, whose address is proven.
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

    /// A key of somebody who is there already; keys of earlier runs are taken back.
    ///
    /// # Errors
    /// There is nobody of this id, or the database refuses something.
    pub async fn key_of(&self, user: UserId) -> Result<Proof> {
        let caller = Caller::customer(user);
        for key in users::api_keys(&self.core, &caller).await? {
            users::revoke_api_key(&self.core, &caller, key.id).await?;
        }
        let made = users::create_api_key(&self.core, &caller, "load").await?;
        Ok(Proof::Key(made.key.expose_secret().to_owned()))
    }

    /// So many people who have signed up in a browser.
    ///
    /// # Errors
    /// The database refuses something.
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
            let signed_up = users::sign_up(&self.core, &form, &Origin::default()).await?;
            let without_mail = || Error::Other("accounts are made at once only where mail.host is not set".to_owned());
            let session = signed_up.session().ok_or_else(without_mail)?;
            sessions.push(Proof::Session(session.token.expose_secret().to_owned()));
        }
        Ok(sessions)
    }

    /// Closes the connections.
    pub async fn close(self) {
        self.core.db.close().await;
    }
}

/// Keys from a file, one a line; empty lines and those that begin with `#` are left out.
///
/// # Errors
/// The file cannot be read, or has none.
pub fn read_keys(file: &Path) -> Result<Vec<Proof>> {
    let text = std::fs::read_to_string(file).map_err(Error::doing(&file.display().to_string()))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let keys: Vec<Proof> = lines.map(|key| Proof::Key(key.to_owned())).collect();
    if keys.is_empty() { Err(Error::Other(format!("{} has no keys", file.display()))) } else { Ok(keys) }
}
