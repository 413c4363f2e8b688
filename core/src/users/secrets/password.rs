//! Passwords: Argon2id, on blocking threads, a few at a time because each takes 19 MiB.

use std::sync::{Arc, OnceLock};

use argon2::password_hash::phc::PasswordHash;
use argon2::{Argon2, PasswordHasher, PasswordVerifier};
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::Semaphore;

use crate::error::{Error, Result};

/// People who may wait for a place; beyond it they are sent away, so that a flood of sign-ins stays a short queue.
const WAITING_PER_PLACE: usize = 32;

/// The places in which passwords are hashed. Cheap to clone.
#[derive(Debug, Clone)]
pub(in crate::users) struct Hasher {
    places: Arc<Semaphore>,
    queue: Arc<Semaphore>,
}

impl Hasher {
    pub fn new(places: usize) -> Self {
        let queue = places.saturating_mul(WAITING_PER_PLACE);
        Self { places: Arc::new(Semaphore::new(places)), queue: Arc::new(Semaphore::new(queue)) }
    }

    /// The hash to keep, in PHC form with its salt and cost.
    pub async fn hash(&self, password: &SecretString) -> Result<String> {
        let password = password.clone();
        self.work(move || {
            Argon2::default()
                .hash_password(password.expose_secret().as_bytes())
                .map(|hash| hash.to_string())
                .map_err(|error| Error::Internal(format!("cannot hash a password: {error}")))
        })
        .await?
    }

    /// Whether the password is the one of this hash. Without a hash (nobody has this address) it takes as long and
    /// is never the one, so that time does not tell who has an account.
    pub async fn verify(&self, password: &SecretString, hash: Option<String>) -> Result<bool> {
        let password = password.clone();
        self.work(move || {
            let known = hash.is_some();
            let text = hash.as_deref().unwrap_or_else(|| nobodys());
            let matches = PasswordHash::new(text).is_ok_and(|hash| {
                Argon2::default().verify_password(password.expose_secret().as_bytes(), &hash).is_ok()
            });
            known && matches
        })
        .await
    }

    async fn work<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let busy =
            || Error::Unavailable { message: "too many people are signing in".to_owned(), retry_after_seconds: 2 };
        let _queued = self.queue.try_acquire().map_err(|_| busy())?;
        let place = Arc::clone(&self.places).acquire_owned().await.map_err(|_| busy())?;
        tokio::task::spawn_blocking(move || {
            let done = work();
            drop(place);
            done
        })
        .await
        .map_err(|error| Error::Internal(format!("a password could not be worked on: {error}")))
    }
}

/// A hash of the usual cost that no password has: its salt and its output are unrelated.
fn nobodys() -> &'static str {
    static HASH: OnceLock<String> = OnceLock::new();
    HASH.get_or_init(|| {
        let (secret, _) = super::tokens::session();
        Argon2::default()
            .hash_password(secret.expose_secret().as_bytes())
            .map(|hash| hash.to_string())
            .unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(text: &str) -> SecretString {
        SecretString::from(text.to_owned())
    }

    #[tokio::test]
    async fn only_the_password_itself_fits_its_hash() {
        let hasher = Hasher::new(1);
        let hash = hasher.hash(&secret("correct horse")).await.expect("a hash");
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "OWASP's parameters: {hash}");
        assert_ne!(hash, hasher.hash(&secret("correct horse")).await.expect("a hash"), "each hash has its own salt");
        assert!(hasher.verify(&secret("correct horse"), Some(hash.clone())).await.expect("an answer"));
        assert!(!hasher.verify(&secret("correct horse "), Some(hash)).await.expect("an answer"));
        assert!(!hasher.verify(&secret("correct horse"), Some("broken".to_owned())).await.expect("an answer"));
        assert!(!hasher.verify(&secret("correct horse"), None).await.expect("an answer"));
    }

    #[tokio::test]
    async fn a_flood_is_sent_away_before_it_queues_without_end() {
        let hasher = Hasher::new(0);
        assert!(matches!(hasher.hash(&secret("x")).await, Err(Error::Unavailable { .. })));
    }
}
