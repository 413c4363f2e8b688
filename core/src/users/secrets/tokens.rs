//! Secrets that prove who somebody is: 256 random bits, kept only as a hash.
//!
//! A fast hash is enough for them: unlike a password, they cannot be guessed.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use rand::RngExt;
use secrecy::SecretString;
use sha2::{Digest, Sha256};

/// What API keys begin with, so that people and scanners recognise them.
pub(in crate::users) const API_KEY_START: &str = "vg_";
/// Characters of an API key that its owner sees again.
const SHOWN: usize = 11;
/// Longer texts are no tokens of ours.
const LONGEST: usize = 64;

/// SHA-256 of a token.
pub(in crate::users) type TokenHash = [u8; 32];

/// A new session token and its hash.
pub(in crate::users) fn session() -> (SecretString, TokenHash) {
    let token = random();
    let hash = hash(&token);
    (SecretString::from(token), hash)
}

/// A new API key, its hash, and the beginning that may be shown.
pub(in crate::users) fn api_key() -> (SecretString, TokenHash, String) {
    let key = format!("{API_KEY_START}{}", random());
    let (hash, prefix) = (hash(&key), key.chars().take(SHOWN).collect());
    (SecretString::from(key), hash, prefix)
}

/// The hash of something that may be a token; `None` for what cannot be one.
pub(in crate::users) fn presented(token: &str) -> Option<TokenHash> {
    (!token.is_empty() && token.len() <= LONGEST).then(|| hash(token))
}

/// What a page of ours repeats on everything that it changes by this session: known to whoever may read our cookies,
/// and to nobody who can only set them.
#[must_use]
pub fn xsrf_token(session: &str) -> String {
    let mac = Hmac::<Sha256>::new_from_slice(session.as_bytes());
    mac.map(|mac| URL_SAFE_NO_PAD.encode(mac.chain_update(b"xsrf").finalize().into_bytes())).unwrap_or_default()
}

fn random() -> String {
    let bytes: [u8; 32] = rand::rng().random();
    URL_SAFE_NO_PAD.encode(bytes)
}

fn hash(token: &str) -> TokenHash {
    Sha256::digest(token.as_bytes()).into()
}
