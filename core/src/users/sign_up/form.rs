//! The sign-up form, and the version of the terms.

use secrecy::SecretString;

use crate::language::Language;

/// A sign-up form.
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

/// The version of the terms of use and the privacy policy: the date of their last change. It is stored with each
/// agreement, and shown above the texts.
pub const TERMS_VERSION: &str = "2026-11-21";
