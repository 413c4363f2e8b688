//! Where a person can be reached, as they show it to everybody: a homepage, an Instagram handle, an e-mail address. All
//! three are optional, and stand in the order that the person chose.

pub(in crate::users) mod contact_point;
pub(in crate::users) mod store;

use super::check;
use crate::error::FieldError;
use crate::ids::UserId;
use crate::{Caller, Core, Error, Result};
use contact_point::{ContactKind, ContactPoint};

/// Characters of a homepage.
const HOMEPAGE_CHARACTERS: usize = 300;
/// Characters of an Instagram handle; the service has no longer ones.
const HANDLE_CHARACTERS: usize = 30;

/// Somebody's contact points, in their order; for everybody to see.
///
/// # Errors
/// Database errors.
pub async fn contact_points(core: &Core, user: UserId) -> Result<Vec<ContactPoint>> {
    Ok(store::of_user(&core.db, user).await?)
}

/// Puts these in the place of all contact points of the caller. Empty ones are left out, and the order of the list
/// counts; each kind is there once at most.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::InvalidFields`] that names every wrong one by its kind; as
/// [`users::may_publish`](super::may_publish) where any is left.
pub async fn set_contact_points(core: &Core, caller: &Caller, points: Vec<ContactPoint>) -> Result<Vec<ContactPoint>> {
    let user = caller.signed_in()?;
    let mut permit = super::may_take_part(core, caller).await?;
    let mut fields = Vec::new();
    let mut kept: Vec<ContactPoint> = Vec::new();
    for point in points.into_iter().filter(|point| !point.value.trim().is_empty()) {
        match checked(point.kind, &point.value) {
            Ok(value) if kept.iter().all(|other| other.kind != point.kind) => {
                kept.push(ContactPoint { kind: point.kind, value });
            }
            Ok(_) => {}
            Err(message) => fields.push(FieldError { field: point.kind.word().to_owned(), message }),
        }
    }
    if !fields.is_empty() {
        return Err(Error::InvalidFields { fields });
    }
    // They stand on a page that everybody sees, and lead away from it.
    if !kept.is_empty() {
        permit = super::may_publish(core, caller).await?.permit().clone();
    }
    store::replace(&core.db, &permit, user, &kept).await?;
    Ok(kept)
}

/// The value in its normal form, or what is wrong with it.
fn checked(kind: ContactKind, value: &str) -> std::result::Result<String, String> {
    let value = value.trim();
    match kind {
        ContactKind::Email => check::new_email(value),
        ContactKind::Homepage => homepage(value),
        ContactKind::Instagram => handle(value),
    }
}

/// People leave out the scheme; anything but http and https is no page.
fn homepage(value: &str) -> std::result::Result<String, String> {
    let wrong = || Err("this is not an address of a web page".to_owned());
    let address = if value.contains("://") { value.to_owned() } else { format!("https://{value}") };
    let lower = address.to_ascii_lowercase();
    let Some(rest) = lower.strip_prefix("https://").or_else(|| lower.strip_prefix("http://")) else { return wrong() };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let plain = address.chars().all(|c| !c.is_control() && !c.is_whitespace() && !"\"<>\\^`{|}".contains(c));
    let (name, port) = host.split_once(':').unwrap_or((host, "443"));
    // A name before an @ would show another host than the one that opens.
    let is_host = name.contains('.') && !name.starts_with('.') && !name.ends_with('.') && !name.contains('@');
    let is_port = port.parse::<u16>().is_ok() && !port.starts_with('+');
    if !plain || !is_host || !is_port || address.chars().count() > HOMEPAGE_CHARACTERS {
        return wrong();
    }
    Ok(address)
}

fn handle(value: &str) -> std::result::Result<String, String> {
    let handle = value.strip_prefix('@').unwrap_or(value);
    let fits = !handle.is_empty() && handle.len() <= HANDLE_CHARACTERS;
    let plain = handle.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_'));
    if fits && plain {
        Ok(handle.to_owned())
    } else {
        Err("a handle has up to 30 letters, digits, dots and underscores".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TestCore;
    use crate::users::factory::user;

    #[test]
    fn only_what_can_be_opened_safely_is_kept() {
        use ContactKind::{Email, Homepage, Instagram};
        for (kind, given, kept) in [
            (Homepage, "ann.example", Some("https://ann.example")),
            (Homepage, " http://ann.example/work?x=1 ", Some("http://ann.example/work?x=1")),
            (Homepage, "javascript:alert(1)", None),
            (Homepage, "javascript://ann.example/%0aalert(1)", None),
            (Homepage, "data://ann.example", None),
            (Homepage, "https://bank.example@evil.example", None),
            (Homepage, "https://ann.example/\"onclick=x", None),
            (Homepage, "localhost", None),
            (Homepage, "ann.example:8443/work", Some("https://ann.example:8443/work")),
            (Homepage, "https:elsewhere.example", None),
            (Homepage, "ann.example:+80", None),
            (Homepage, "ann.example:x@evil.example", None),
            (Instagram, "@ann.makes", Some("ann.makes")),
            (Instagram, "ann/../x", None),
            (Instagram, "", None),
            (Email, "Ann@Example.com", Some("ann@example.com")),
            (Email, "ann@example.com?subject=x", None),
        ] {
            assert_eq!(checked(kind, given).ok().as_deref(), kept, "{kind:?} {given}");
        }
    }

    #[actix::test]
    async fn contact_points_stand_in_their_order_and_empty_ones_go() {
        let core = TestCore::new().await;
        let id = user().insert(&core.db).await;
        let caller = Caller::customer(id);
        let point = |kind, value: &str| ContactPoint { kind, value: value.to_owned() };
        let first = vec![point(ContactKind::Email, "a@b.example"), point(ContactKind::Homepage, "https://b.example")];
        set_contact_points(&core, &caller, first.clone()).await.expect("contact points");
        assert_eq!(contact_points(&core, id).await.expect("contact points"), first);
        let second = vec![point(ContactKind::Instagram, "@ann"), point(ContactKind::Email, "  ")];
        let kept = set_contact_points(&core, &caller, second).await.expect("contact points");
        assert_eq!(kept, [point(ContactKind::Instagram, "ann")]);
        assert_eq!(contact_points(&core, id).await.expect("contact points"), kept);
    }

    #[actix::test]
    async fn every_wrong_contact_point_is_named_and_none_is_kept() {
        let core = TestCore::new().await;
        let id = user().insert(&core.db).await;
        let point = |kind, value: &str| ContactPoint { kind, value: value.to_owned() };
        let wrong = vec![
            point(ContactKind::Homepage, "ftp://b.example"),
            point(ContactKind::Email, "nobody"),
            point(ContactKind::Instagram, "ann"),
        ];
        let refused = set_contact_points(&core, &Caller::customer(id), wrong).await;
        let Err(Error::InvalidFields { fields }) = refused else { panic!("{refused:?}") };
        assert_eq!(fields.iter().map(|field| field.field.as_str()).collect::<Vec<_>>(), ["homepage", "email"]);
        assert!(contact_points(&core, id).await.expect("contact points").is_empty());
        assert!(matches!(set_contact_points(&core, &Caller::guest(), Vec::new()).await, Err(Error::LoginRequired)));
    }
}
