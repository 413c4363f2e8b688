//! What lets agents in.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use rand::RngExt as _;
use secrecy::SecretString;
use sha2::{Digest as _, Sha256};

use crate::ids::AgentTokenId;

/// What they begin with, so that people and scanners recognise them.
const START: &str = "vga_";
/// Characters that are seen again.
const SHOWN: usize = 12;
/// Longer texts are none of ours.
const LONGEST: usize = 128;

/// A token as operators see it in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentToken {
    pub id: AgentTokenId,
    pub name: String,
    /// The pools that its agents may join.
    pub pools: Vec<String>,
    /// The first characters, by which it is recognised.
    pub prefix: String,
    pub created_at: DateTime<Utc>,
    /// When an agent connected with it last.
    pub last_used_at: Option<DateTime<Utc>>,
    pub revoked_at: Option<DateTime<Utc>>,
    /// Agents of it that an operator removed, and that it does not let in.
    pub removed_agents: i64,
}

/// A token that was just made. The token itself is nowhere else.
#[derive(Debug)]
pub struct NewAgentToken {
    pub token: AgentToken,
    pub secret: SecretString,
}

/// A new token, its hash, and the beginning that may be shown.
pub(super) fn make() -> (SecretString, [u8; 32], String) {
    let bytes: [u8; 32] = rand::rng().random();
    let text = format!("{START}{}", URL_SAFE_NO_PAD.encode(bytes));
    let (hash, prefix) = (hash(&text), text.chars().take(SHOWN).collect());
    (SecretString::from(text), hash, prefix)
}

/// The hash of something that may be a token; `None` for what cannot be one.
pub(super) fn presented(text: &str) -> Option<[u8; 32]> {
    (text.starts_with(START) && text.len() <= LONGEST).then(|| hash(text))
}

/// A fast hash is enough for 256 random bits: they cannot be guessed.
pub(super) fn hash(text: &str) -> [u8; 32] {
    Sha256::digest(text).into()
}
