//! Codes in links: 256 random bits, kept only as a hash.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rand::RngExt as _;
use secrecy::{ExposeSecret as _, SecretString};
use sha2::{Digest as _, Sha256};

/// SHA-256 of a code.
pub(super) type CodeHash = [u8; 32];

/// Longer texts are no codes of ours.
const LONGEST: usize = 64;

/// A new code and its hash.
pub(super) fn new() -> (SecretString, CodeHash) {
    let bytes: [u8; 32] = rand::rng().random();
    let code = URL_SAFE_NO_PAD.encode(bytes);
    let hash = Sha256::digest(code.as_bytes()).into();
    (SecretString::from(code), hash)
}

/// The hash of something that may be a code; `None` for what cannot be one.
pub(super) fn presented(code: &SecretString) -> Option<CodeHash> {
    let code = code.expose_secret();
    (!code.is_empty() && code.len() <= LONGEST).then(|| Sha256::digest(code.as_bytes()).into())
}
