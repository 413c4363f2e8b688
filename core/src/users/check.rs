//! What people may call themselves, and which passwords they may choose.

use secrecy::{ExposeSecret, SecretString};

use super::secrets::guessable::is_guessable;
use super::sign_up::SignUp;
use super::user::DELETED_NAME;
use crate::error::{Error, FieldError, Result};
use crate::names;

/// A form that can be kept: everything trimmed and in its normal form.
pub(super) struct Checked {
    pub email: String,
    pub name: String,
}

/// Checks the whole form, and reports every wrong field at once.
pub(super) fn sign_up(form: &SignUp) -> Result<Checked> {
    let mut fields = Vec::new();
    let mut keep = |field: &str, checked: Result<String, String>| match checked {
        Ok(value) => value,
        Err(message) => {
            fields.push(FieldError { field: field.to_owned(), message });
            String::new()
        }
    };
    let email = keep("email", email(&form.email));
    let name = keep("name", name(&form.name));
    keep("password", password(&form.password).map(|()| String::new()));
    if !fields.is_empty() {
        return Err(Error::InvalidFields { fields });
    }
    if !(form.terms_accepted && form.privacy_accepted) {
        return Err(Error::AuthTermsRequired);
    }
    Ok(Checked { email, name })
}

/// An address in its normal form: trimmed, in lower case.
pub(super) fn email(text: &str) -> Result<String, String> {
    let email = text.trim().to_ascii_lowercase();
    let wrong = || Err("this is not an e-mail address".to_owned());
    if email.len() > 254 || !email.bytes().all(|byte| byte.is_ascii_graphic()) {
        return wrong();
    }
    let Some((person, host)) = email.rsplit_once('@') else { return wrong() };
    let label = |label: &str| {
        !label.is_empty()
            && label.len() <= 63
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    if person.is_empty()
        || person.len() > 64
        || person.contains('@')
        || !host.contains('.')
        || !host.split('.').all(label)
    {
        return wrong();
    }
    Ok(email)
}

/// Names that would pass for the platform's own people, or for nobody.
const RESERVED: [&str; 12] = [
    DELETED_NAME,
    "admin",
    "administrator",
    "moderator",
    "operator",
    "system",
    "support",
    "verdigraph",
    "관리자",
    "운영자",
    "운영진",
    "탈퇴한 사용자",
];

/// A name in its normal form: trimmed, 2 to 20 characters, some to be seen and none hidden, and nobody else's.
pub(super) fn name(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        return Err("please enter a name".to_owned());
    }
    let name = names::trimmed(text, 2..=20).ok_or_else(|| "a name has 2 to 20 characters".to_owned())?;
    if name.chars().any(names::is_hidden) || names::has_stray_joiner(name) || names::is_blank(name) {
        return Err("a name has no hidden characters".to_owned());
    }
    if RESERVED.iter().any(|reserved| names::look_alike(name, reserved)) {
        return Err("this name is reserved".to_owned());
    }
    Ok(name.to_owned())
}

/// Whether a password is neither too short nor too long, and none that is guessed at once; it may hold any characters.
pub(super) fn password(password: &SecretString) -> Result<(), String> {
    match password.expose_secret().chars().count() {
        8..=128 if is_guessable(password.expose_secret()) => {
            Err("this password is one of those that are guessed first".to_owned())
        }
        8..=128 => Ok(()),
        _ => Err("a password has 8 to 128 characters".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_brought_to_one_form_and_others_refused() {
        assert_eq!(email("  Ann.Lee+x@Example.COM ").as_deref(), Ok("ann.lee+x@example.com"));
        let long = format!("{}@example.com", "a".repeat(65));
        for wrong in [
            "",
            "ann",
            "@example.com",
            "ann@",
            "ann@host",
            "a b@example.com",
            "a@b@example.com",
            "ann@-x.com",
            "ann@example..com",
            "ann@exa_mple.com",
            "ann\0@example.com",
            "änn@example.com",
            &long,
        ] {
            assert!(email(wrong).is_err(), "{wrong:?} is no address");
        }
    }

    #[test]
    fn names_are_counted_in_characters_and_not_in_bytes() {
        assert_eq!(name(" 김철 ").as_deref(), Ok("김철"));
        assert!(name(&"한".repeat(20)).is_ok());
        assert!(name(&"한".repeat(21)).is_err());
        assert!(name(&format!("{} ", "a".repeat(20))).is_err(), "the API's description allows 20 characters");
        assert!(name("a").is_err());
        assert!(name("a\u{0}b").is_err());
        for reserved in [
            "deleted User",
            "Deleted  user",
            "DeIeted user",
            "D\u{435}leted us\u{435}r",
            "Admin",
            "\u{391}dmin",
            "ADM1N",
            "_admin_",
            "Verdigraph",
            "운영자",
        ] {
            assert_eq!(name(reserved), Err("this name is reserved".to_owned()), "{reserved} passes for another");
        }
        for nobody in
            ["\u{200d}\u{200d}", "\u{2800}\u{2800}", "\u{301}\u{301}", "\u{fe0f}\u{fe0f}", "Ann\u{200d}", "A\u{34f}nn"]
        {
            assert!(name(nobody).is_err(), "{} is taken for a name", nobody.escape_unicode());
        }
        for fine in ["Adam", "Minnie", "Support Sam", "👩\u{200d}🎨 Ann", "e\u{301}a", "نیلوفر\u{200c}ها"] {
            assert!(name(fine).is_ok(), "{fine}");
        }
        assert_eq!(name("   "), Err("please enter a name".to_owned()));
    }

    #[test]
    fn every_wrong_field_of_a_form_is_reported_at_once() {
        let form = SignUp {
            email: "x".to_owned(),
            password: SecretString::from("short".to_owned()),
            name: String::new(),
            language: super::super::Language::En,
            terms_accepted: false,
            privacy_accepted: true,
        };
        let Err(Error::InvalidFields { fields }) = sign_up(&form) else { panic!("the form is wrong") };
        let named: Vec<_> = fields.iter().map(|field| field.field.as_str()).collect();
        assert_eq!(named, ["email", "name", "password"]);
    }
}
