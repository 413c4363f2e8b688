//! Tokens that admit agents.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use rand::RngExt as _;
use secrecy::SecretString;
use sha2::{Digest as _, Sha256};

use crate::ids::AgentTokenId;

/// Every token starts with this, so that people and scanners recognize it.
const START: &str = "vga_";
/// Characters of the displayed prefix.
const SHOWN: usize = 12;
/// Longer texts are not agent tokens.
const LONGEST: usize = 128;

/// A token as listed for operators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentToken {
    pub id: AgentTokenId,
    pub name: String,
    pub pools: Vec<String>,
    /// The first characters, to recognize it.
    pub prefix: String,
    pub created_at: DateTime<Utc>,
    pub last_used_at: Option<DateTime<Utc>>,
    pub revoked_at: Option<DateTime<Utc>>,
    /// Agents with this token whose workers an operator removed; they are not admitted.
    pub removed_agents: i64,
}

/// A new token. The secret is not stored anywhere.
#[derive(Debug)]
pub struct NewAgentToken {
    pub token: AgentToken,
    pub secret: SecretString,
}

/// A new token, its hash, and its displayed prefix.
pub(super) fn make() -> (SecretString, [u8; 32], String) {
    let bytes: [u8; 32] = rand::rng().random();
    let text = format!("{START}{}", URL_SAFE_NO_PAD.encode(bytes));
    let (hash, prefix) = (hash(&text), text.chars().take(SHOWN).collect());
    (SecretString::from(text), hash, prefix)
}

/// The hash of a possible token; `None` for a text that cannot be one.
pub(super) fn hash_of_token(text: &str) -> Option<[u8; 32]> {
    (text.starts_with(START) && text.len() <= LONGEST).then(|| hash(text))
}

/// A fast hash is enough for 256 random bits, which cannot be guessed.
pub(super) fn hash(text: &str) -> [u8; 32] {
    Sha256::digest(text).into()
}
