//! Checks of names, addresses and passwords.

use std::sync::LazyLock;

use secrecy::{ExposeSecret, SecretString};
use unicode_normalization::char::is_combining_mark;

use super::secrets::guessable::is_guessable;
use super::sign_up::form::SignUp;
use super::user::DELETED_NAME;
use crate::error::{Error, FieldError, Result};
use crate::names;

/// Normalized values of a valid form.
pub(super) struct ValidSignUp {
    pub email: String,
    pub name: String,
}

/// Checks the whole form, and reports all invalid fields at once.
pub(super) fn sign_up(form: &SignUp) -> Result<ValidSignUp> {
    let mut fields = Vec::new();
    let mut check = |field: &str, checked: Result<String, String>| match checked {
        Ok(value) => value,
        Err(message) => {
            fields.push(FieldError { field: field.to_owned(), message });
            String::new()
        }
    };
    let email = check("email", new_email(&form.email));
    let name = check("name", name(&form.name));
    check("password", password(&form.password).map(|()| String::new()));
    if !fields.is_empty() {
        return Err(Error::InvalidFields { fields });
    }
    if !(form.terms_accepted && form.privacy_accepted) {
        return Err(Error::AuthTermsRequired);
    }
    Ok(ValidSignUp { email, name })
}

/// Normalizes an address: trimmed, in lower case, with an ASCII domain (`müller.de` becomes `xn--mller-kva.de`).
pub(super) fn email(text: &str) -> Result<String, String> {
    let email = with_ascii_domain(text.trim()).to_ascii_lowercase();
    if email.rsplit_once('@').is_some_and(|(person, host)| host.is_ascii() && !person.is_ascii()) {
        return Err("before its @ an e-mail address has Latin letters, digits and signs alone".to_owned());
    }
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

/// Converts the domain to ASCII; unchanged if that is not possible.
fn with_ascii_domain(email: &str) -> String {
    let in_ascii = |host: &str| {
        let host = names::composed(host);
        let is_plain = host.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '.') || is_combining_mark(c));
        let url = is_plain.then(|| reqwest::Url::parse(&format!("http://{host}/")).ok())??;
        url.domain().map(str::to_owned)
    };
    match email.rsplit_once('@') {
        Some((person, host)) if !host.is_ascii() => {
            in_ascii(host).map_or_else(|| email.to_owned(), |host| format!("{person}@{host}"))
        }
        _ => email.to_owned(),
    }
}

/// An address that an account may use: as [`email`], and unambiguous in mail programs, headers and pages.
pub(super) fn new_email(text: &str) -> Result<String, String> {
    let email = email(text)?;
    let (person, host) = email.rsplit_once('@').unwrap_or_default();
    // Characters that RFC 5321 allows without quotes, except `%` and `!`, which were once routes and now hide escapes.
    let is_atom = |c: char| c.is_ascii_alphanumeric() || "#$&'*+-/=?^_`{|}~".contains(c);
    let atoms = person.split('.').all(|atom| !atom.is_empty() && atom.chars().all(is_atom));
    let is_numbered = host.rsplit('.').next().is_some_and(|last| last.bytes().all(|byte| byte.is_ascii_digit()));
    if !atoms || is_numbered {
        return Err("this is not an e-mail address".to_owned());
    }
    Ok(email)
}

/// Names of the platform's staff and of special accounts. A name of only these, [`CONNECTING`] words and numbers would
/// impersonate them.
const RESERVED: [&str; 40] = [
    DELETED_NAME,
    "deleted account",
    "admin",
    "admins",
    "administrator",
    "administrators",
    "administration",
    "sysadmin",
    "superadmin",
    "superuser",
    "moderator",
    "moderators",
    "moderation",
    "operator",
    "operators",
    "system",
    "support",
    "staff",
    "root",
    "webmaster",
    "postmaster",
    "hostmaster",
    "helpdesk",
    "customer service",
    "no reply",
    "관리자",
    "관리팀",
    "관리인",
    "운영자",
    "운영진",
    "운영팀",
    "운영국",
    "모더레이터",
    "어드민",
    "스태프",
    "스탭",
    "고객센터",
    "고객지원",
    "시스템",
    "탈퇴한 사용자",
];
/// Words that do not turn a reserved name into a personal one.
const CONNECTING: [&str; 22] = [
    "the",
    "of",
    "and",
    "team",
    "official",
    "site",
    "user",
    "account",
    "member",
    "chief",
    "head",
    "global",
    "community",
    "crew",
    "desk",
    "center",
    "mod",
    "공식",
    "팀",
    "계정",
    "님",
    "사이트",
];
/// Names that contain one of these belong to the platform.
const PRODUCT: [&str; 2] = ["verdigraph", "베르디그래프"];

/// Whether a name would impersonate the platform.
fn is_reserved(name: &str) -> bool {
    // Numbers at the ends of words do not count: "Staff 2", "admin99".
    let words = name.split(|c: char| c.is_whitespace() || "_-.,:;/|·•()[]{}<>~*'\"".contains(c));
    let unnumbered: String = words.map(|word| word.trim_matches(|c: char| c.is_numeric())).collect();
    [name, &unnumbered].into_iter().any(|name| {
        let seen = names::lookalike_key(name);
        PRODUCT.iter().any(|product| seen.contains(&names::lookalike_key(product))) || is_made_of_reserved(&seen)
    })
}

/// Whether a lookalike key consists of reserved and connecting words, with at least one reserved word.
fn is_made_of_reserved(seen: &str) -> bool {
    static WORDS: LazyLock<Vec<(String, bool)>> = LazyLock::new(|| {
        let reserved = RESERVED.iter().map(|word| (names::lookalike_key(word), true));
        reserved.chain(CONNECTING.iter().map(|word| (names::lookalike_key(word), false))).collect()
    });
    // Whether each prefix can be composed: of connecting words only, and with a reserved word.
    let mut made = vec![[false; 2]; seen.len() + 1];
    made[0][0] = true;
    for at in 0..seen.len() {
        if made[at] == [false; 2] || !seen.is_char_boundary(at) {
            continue;
        }
        for (word, reserved) in WORDS.iter().filter(|(word, _)| seen[at..].starts_with(word.as_str())) {
            let [plain, with] = made[at];
            let next = &mut made[at + word.len()];
            next[1] |= with || (plain && *reserved);
            next[0] |= plain && !reserved;
        }
    }
    made[seen.len()][1]
}

/// Normalizes a name: trimmed, 2 to 20 characters, at least one visible and none hidden, and not reserved.
pub(super) fn name(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        return Err("please enter a name".to_owned());
    }
    let name = names::trimmed(text, 2..=20).ok_or_else(|| "a name has 2 to 20 characters".to_owned())?;
    if name.chars().any(names::is_hidden)
        || names::has_stray_joiner(&name)
        || names::has_stray_selector(&name)
        || names::is_blank(&name)
    {
        return Err("a name has no hidden characters".to_owned());
    }
    if is_reserved(&name) {
        return Err("this name is reserved".to_owned());
    }
    Ok(name)
}

/// Checks the length of a password, and that it is not guessable. Any characters are allowed.
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
    fn addresses_are_normalized_or_refused() {
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
            "änn@müller.de",
            "ann@mü/ller.de",
            "ann@mü_ller.de",
            "ann@müller",
            "ann@\u{301}.de",
            &long,
        ] {
            assert!(email(wrong).is_err(), "{wrong:?} was accepted");
        }
    }

    #[test]
    fn domains_are_converted_to_ascii() {
        for typed in ["Ann@Müller.DE", "ann@mu\u{308}ller.de", "ann@xn--mller-kva.de"] {
            assert_eq!(new_email(typed).as_deref(), Ok("ann@xn--mller-kva.de"), "{typed}");
        }
        assert_eq!(new_email("ann@한국.kr").as_deref(), Ok("ann@xn--3e0b707e.kr"));
        assert!(email("änn@müller.de").unwrap_err().contains("before its @"));
    }

    #[test]
    fn ambiguous_addresses_of_new_accounts_are_refused() {
        for fine in ["ann.lee+x@example.com", "o'hara_1@x.example", "a/b=c{d}@mail.example.co.kr", "x@1.example"] {
            assert_eq!(new_email(fine).as_deref(), Ok(fine));
        }
        for wrong in [
            "<a>@t.example",
            "a%0d%0abcc:x@t.example",
            "a%40b@t.example",
            "a!b@t.example",
            "\"a\"@t.example",
            "a,b@t.example",
            "a;b@t.example",
            "a:b@t.example",
            "(a)b@t.example",
            "a\\b@t.example",
            "[a]@t.example",
            ".a@t.example",
            "a.@t.example",
            "a..b@t.example",
            "a@127.0.0.1",
        ] {
            assert!(new_email(wrong).is_err(), "{wrong} was accepted");
        }
    }

    #[test]
    fn names_are_counted_in_characters_and_reserved_ones_refused() {
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
            "Verdigraph Admin",
            "VerdigraphFan",
            "Staff",
            "5taff",
            "Staff 2",
            "Deleted user 2",
            "deleted_user_17",
            "ⓐⓓⓜⓘⓝ",
            "🅐🅓🅜🅘🅝",
            "root",
            "r00t",
            "Root 1",
            "admin99",
            "Site Admin",
            "Official Support",
            "The Moderators",
            "Ádmin",
            "@dmin",
            "공식 운영팀",
            "관리자님",
            "탈퇴한 사용자 3",
        ] {
            assert_eq!(name(reserved), Err("this name is reserved".to_owned()), "{reserved} was accepted");
        }
        for invisible in [
            "\u{200d}\u{200d}",
            "\u{2800}\u{2800}",
            "\u{301}\u{301}",
            "\u{fe0f}\u{fe0f}",
            "Ann\u{200d}",
            "A\u{34f}nn",
            "A\u{fe0f}nn",
            "Ann\u{e0100}",
            "한\u{fe00}길",
        ] {
            assert!(name(invisible).is_err(), "{} was accepted as a name", invisible.escape_unicode());
        }
        for fine in [
            "Adam",
            "Minnie",
            "Support Sam",
            "👩\u{200d}🎨 Ann",
            "e\u{301}a",
            "نیلوفر\u{200c}ها",
            "❤\u{fe0f} Ann",
            "Rooty",
            "Kim Root",
            "Ann Admin",
            "Steffi",
            "Modesty",
            "1234",
        ] {
            assert!(name(fine).is_ok(), "{fine}");
        }
        assert_eq!(name("   "), Err("please enter a name".to_owned()));
    }

    #[test]
    fn all_invalid_fields_of_a_form_are_reported() {
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
