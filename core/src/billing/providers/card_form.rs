//! A card as its holder enters it at a form of ours. It goes to the provider and is kept nowhere.

use chrono::{DateTime, Datelike as _, Utc};
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret as _, SecretString};

use crate::error::FieldError;
use crate::{Error, Result, names};

/// Digits of a card's number.
const NUMBER_DIGITS: std::ops::RangeInclusive<usize> = 12..=19;
/// Characters of a holder's name and of an address.
const MAX_NAME_CHARS: usize = 100;
const MAX_EMAIL_CHARS: usize = 100;

/// What the holder enters.
#[derive(Debug)]
pub struct CardForm {
    pub number: SecretString,
    /// The first two digits of the card's password.
    pub password_digits: SecretString,
    /// The holder's six digits of birth, or a company's ten digits.
    pub identity_number: SecretString,
    pub expiration_month: u32,
    pub expiration_year: i32,
    pub name: String,
    pub email: Option<String>,
}

impl CardForm {
    /// Without spaces and dashes in the number.
    ///
    /// # Errors
    /// [`Error::InvalidFields`]; no message has what was entered.
    pub(in crate::billing) fn checked(self, now: DateTime<Utc>) -> Result<Self> {
        let plain = |text: &SecretString| {
            let kept = Zeroizing::new(text.expose_secret().replace([' ', '-'], ""));
            SecretString::from(kept.as_str())
        };
        let has_digits = |text: &SecretString, allowed: &[usize]| {
            let text = text.expose_secret();
            allowed.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
        };
        let (number, identity_number) = (plain(&self.number), plain(&self.identity_number));
        let name = names::trimmed(&self.name, 1..=MAX_NAME_CHARS).filter(|name| !names::is_blank(name));
        let email = self.email.as_deref().map(str::trim).filter(|email| !email.is_empty()).map(ToOwned::to_owned);
        let is_email = |email: &String| {
            email.len() <= MAX_EMAIL_CHARS && email.contains('@') && email.chars().all(|c| c.is_ascii_graphic())
        };
        let is_month = (1..=12).contains(&self.expiration_month);
        let last = (self.expiration_year, self.expiration_month);
        let faults = [
            (!has_digits(&number, &NUMBER_DIGITS.collect::<Vec<_>>()), "number", "must have 12 to 19 digits"),
            (!has_digits(&self.password_digits, &[2]), "passwordDigits", "must have two digits"),
            (!has_digits(&identity_number, &[6, 10]), "identityNumber", "must have six or ten digits"),
            (!is_month, "expirationMonth", "must be between 1 and 12"),
            (!(2000..=2099).contains(&self.expiration_year), "expirationYear", "must have four digits"),
            (is_month && last < (now.year(), now.month()), "expirationYear", "the card has expired"),
            (name.is_none(), "name", "must have 1 to 100 visible characters"),
            (email.as_ref().is_some_and(|email| !is_email(email)), "email", "must be an e-mail address"),
        ];
        let fields: Vec<FieldError> = faults
            .into_iter()
            .filter(|(is_wrong, ..)| *is_wrong)
            .map(|(_, field, message)| FieldError { field: field.to_owned(), message: message.to_owned() })
            .collect();
        match name {
            Some(name) if fields.is_empty() => Ok(Self { number, identity_number, name, email, ..self }),
            _ => Err(Error::InvalidFields { fields }),
        }
    }
}
