//! What somebody fills in to become a user, and what they agree to.

use secrecy::SecretString;

use crate::language::Language;

/// What somebody fills in to become a user.
#[derive(Debug, Clone)]
pub struct SignUp {
    pub email: String,
    /// 8 to 128 characters.
    pub password: SecretString,
    /// 2 to 20 characters.
    pub name: String,
    pub language: Language,
    pub terms_accepted: bool,
    pub privacy_accepted: bool,
}

/// Which terms of use and which privacy policy people agree to: the day on which their texts changed last. It is kept
/// with each agreement, and shown above the texts.
pub const TERMS_VERSION: &str = "2026-11-21";
