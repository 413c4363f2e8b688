//! Tokens: 256 random bits, stored only as a hash.
//!
//! A fast hash is enough, because they cannot be guessed, unlike passwords.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use rand::RngExt;
use secrecy::SecretString;
use sha2::{Digest, Sha256};

/// Every API key starts with this, so that people and scanners recognize it.
pub(in crate::users) const API_KEY_START: &str = "vg_";
/// Characters of the displayed prefix.
const SHOWN: usize = 11;
/// Longer texts are not tokens.
const LONGEST: usize = 64;

/// SHA-256 of a token.
pub(in crate::users) type TokenHash = [u8; 32];

pub(in crate::users) fn session() -> (SecretString, TokenHash) {
    let token = random();
    let hash = hash(&token);
    (SecretString::from(token), hash)
}

/// A new API key, its hash, and its displayed prefix.
pub(in crate::users) fn api_key() -> (SecretString, TokenHash, String) {
    let key = format!("{API_KEY_START}{}", random());
    let (hash, prefix) = (hash(&key), key.chars().take(SHOWN).collect());
    (SecretString::from(key), hash, prefix)
}

/// The hash of a possible token; `None` for a text that cannot be one.
pub(in crate::users) fn hash_of(token: &str) -> Option<TokenHash> {
    (!token.is_empty() && token.len() <= LONGEST).then(|| hash(token))
}

/// The token that our pages send with every change in this session. It requires reading the session cookie, which an
/// attacker who can only set cookies cannot do.
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
