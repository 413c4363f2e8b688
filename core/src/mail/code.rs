//! Codes in mails, stored only as hashes: 256 random bits in links, and six digits to type in.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rand::RngExt as _;
use secrecy::{ExposeSecret as _, SecretString};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

/// SHA-256 of a code.
pub(super) type CodeHash = [u8; 32];

/// Longer inputs are not codes.
const LONGEST: usize = 64;

/// A new code and its hash.
pub(super) fn new() -> (SecretString, CodeHash) {
    let bytes: [u8; 32] = rand::rng().random();
    let code = URL_SAFE_NO_PAD.encode(bytes);
    let hash = Sha256::digest(code.as_bytes()).into();
    (SecretString::from(code), hash)
}

/// The hash of a presented code; `None` if it cannot be a code.
pub(super) fn presented(code: &SecretString) -> Option<CodeHash> {
    let code = code.expose_secret();
    (!code.is_empty() && code.len() <= LONGEST).then(|| Sha256::digest(code.as_bytes()).into())
}

/// Digits of a code that a person types in.
const DIGITS: usize = 6;

/// A new code to type in, and its hash. It is only valid for `proof`, and attempts per proof are limited.
pub(super) fn new_short(proof: Uuid) -> (SecretString, CodeHash) {
    let code = format!("{:06}", rand::rng().random_range(0..1_000_000));
    let hash = short_hash(proof, &code);
    (SecretString::from(code), hash)
}

/// The hash of a typed code for `proof`, ignoring spaces and hyphens; `None` if it cannot be a code.
pub(super) fn presented_short(proof: Uuid, code: &SecretString) -> Option<CodeHash> {
    let digits: String = code.expose_secret().chars().filter(|c| !c.is_whitespace() && *c != '-').collect();
    let is_code = digits.len() == DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_code.then(|| short_hash(proof, &digits))
}

fn short_hash(proof: Uuid, digits: &str) -> CodeHash {
    Sha256::new().chain_update(proof.as_bytes()).chain_update(digits.as_bytes()).finalize().into()
}
