//! Password hashes: Argon2id, on blocking threads, a few at a time because each needs 19 MiB.

use std::sync::{Arc, OnceLock};

use argon2::password_hash::phc::PasswordHash;
use argon2::{Argon2, PasswordHasher, PasswordVerifier};
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::Semaphore;

use crate::error::{Error, Result};

/// Waiting requests per permit; further ones are refused, so that a flood of sign-ins does not build a long queue.
const WAITING_PER_PERMIT: usize = 32;

/// Hashes and verifies passwords. Cheap to clone.
#[derive(Debug, Clone)]
pub(in crate::users) struct Hasher {
    permits: Arc<Semaphore>,
    queue: Arc<Semaphore>,
}

impl Hasher {
    pub fn new(permits: usize) -> Self {
        let queue = permits.saturating_mul(WAITING_PER_PERMIT);
        Self { permits: Arc::new(Semaphore::new(permits)), queue: Arc::new(Semaphore::new(queue)) }
    }

    /// The hash in PHC format with its salt and cost.
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

    /// Whether the password matches this hash. Without a hash (unknown address) it takes as long and never matches, so
    /// that timing does not reveal accounts.
    pub async fn verify(&self, password: &SecretString, hash: Option<String>) -> Result<bool> {
        let password = password.clone();
        self.work(move || {
            let known = hash.is_some();
            let text = hash.as_deref().unwrap_or_else(|| dummy_hash());
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
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(|_| busy())?;
        tokio::task::spawn_blocking(move || {
            let done = work();
            drop(permit);
            done
        })
        .await
        .map_err(|error| Error::Internal(format!("cannot process a password: {error}")))
    }
}

/// A hash of the usual cost that no known password matches.
fn dummy_hash() -> &'static str {
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
    async fn hash_matches_only_its_password() {
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
    async fn full_queue_refuses_requests() {
        let hasher = Hasher::new(0);
        assert!(matches!(hasher.hash(&secret("x")).await, Err(Error::Unavailable { .. })));
    }
}
