//! Public contact points of a user: a homepage, an Instagram handle, an e-mail address. All are optional; the user
//! chooses their order.

pub(in crate::users) mod contact_point;
pub(in crate::users) mod store;

use super::check;
use crate::error::FieldError;
use crate::ids::UserId;
use crate::{Caller, Core, Error, Result};
use contact_point::{ContactKind, ContactPoint};

const HOMEPAGE_CHARACTERS: usize = 300;
/// Instagram's own limit.
const HANDLE_CHARACTERS: usize = 30;

/// A user's public contact points, in order.
pub async fn contact_points(core: &Core, user: UserId) -> Result<Vec<ContactPoint>> {
    Ok(store::of_user(&core.db, user).await?)
}

/// Replaces the caller's contact points, in this order. Empty ones are dropped, and so are repeated kinds.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::InvalidFields`] with the kinds of all invalid ones; as
/// [`users::may_publish`](super::may_publish) unless all are empty.
pub async fn set_contact_points(core: &Core, caller: &Caller, points: Vec<ContactPoint>) -> Result<Vec<ContactPoint>> {
    let user = caller.signed_in()?;
    let mut permit = super::may_take_part(core, caller).await?;
    let mut fields = Vec::new();
    let mut kept: Vec<ContactPoint> = Vec::new();
    for point in points.into_iter().filter(|point| !point.value.trim().is_empty()) {
        match normalized(point.kind, &point.value) {
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
    // Contact points are public and link to other sites.
    if !kept.is_empty() {
        permit = super::may_publish(core, caller).await?.permit().clone();
    }
    store::replace(&core.db, &permit, user, &kept).await?;
    Ok(kept)
}

/// The normalized value, or why it is invalid.
fn normalized(kind: ContactKind, value: &str) -> std::result::Result<String, String> {
    let value = value.trim();
    match kind {
        ContactKind::Email => check::new_email(value),
        ContactKind::Homepage => homepage(value),
        ContactKind::Instagram => handle(value),
    }
}

/// The scheme is optional; only http and https are allowed.
fn homepage(value: &str) -> std::result::Result<String, String> {
    let wrong = || Err("this is not an address of a web page".to_owned());
    let address = if value.contains("://") { value.to_owned() } else { format!("https://{value}") };
    let lower = address.to_ascii_lowercase();
    let Some(rest) = lower.strip_prefix("https://").or_else(|| lower.strip_prefix("http://")) else { return wrong() };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let plain = address.chars().all(|c| !c.is_control() && !c.is_whitespace() && !"\"<>\\^`{|}".contains(c));
    let (name, port) = host.split_once(':').unwrap_or((host, "443"));
    // A name before an @ would display another host than the one that opens.
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
    fn unsafe_contact_points_are_refused() {
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
            assert_eq!(normalized(kind, given).ok().as_deref(), kept, "{kind:?} {given}");
        }
    }

    #[actix::test]
    async fn contact_points_keep_their_order_and_empty_ones_are_dropped() {
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
    async fn all_invalid_contact_points_are_reported_and_none_is_saved() {
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
