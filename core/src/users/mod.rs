//! People: sign-up, sign-in (with a password, or through Google and Discord), proven addresses, lost passwords,
//! sessions, API keys.
//!
//! Tokens and keys are random and kept only as hashes. Who a token belongs to is remembered for a short time, so that
//! a warm request asks no database; a change makes all nodes forget at once.

mod api_keys;
mod ban;
mod bans;
mod blocks;
mod chat;
mod check;
mod contact_points;
mod directory;
mod gate;
mod identities;
mod leaving;
mod memory;
mod origin;
mod plan;
mod presence;
mod profile;
mod proofs;
mod providers;
mod quota;
mod recovery;
mod roles;
mod secrets;
mod sessions;
mod sign_up;
mod stealth;
mod store;
mod user;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

pub use api_keys::api_key::ApiKey;
pub use api_keys::{NewApiKey, api_keys, by_api_key, create_api_key, revoke_api_key};
pub use ban::Ban;
pub use bans::{ban_within, lift_ban_within};
pub use blocks::{Block, MAX_BLOCKS, block, blocked_among, blocks, has_blocked, unblock};
pub use chat::{ChatMember, chat_member};
pub use contact_points::contact_point::{ContactKind, ContactPoint};
pub use contact_points::{contact_points, set_contact_points};
pub use directory::filter::PeopleFilter;
pub use directory::filtered::{PeopleAsked, PeopleFound, count, counts, filtered, public_counts};
pub use directory::people::{MAX_PEOPLE, people, session_count, sightings, similar};
pub use directory::sighting::Sighting;
pub use gate::{Permit, PublishPermit, may_publish, may_take_part};
pub use identities::linking::{LinkReturn, finish_linking, start_linking, unlink};
pub use identities::social::{Arrived, Returned, Started, finish_social, providers, start_social};
pub use leaving::{Farewell, begin_export, delete, departed, note_cleared};
pub use memory::{Memory, SignedIn, forget_revocations};
pub use origin::Origin;
pub use plan::plan;
pub use presence::{Presence, Proof};
pub use profile::{set_language, set_name, set_profile};
pub use proofs::verification::{can_be_mailed, confirm, confirm_account, resend_verification, verify_email};
pub use providers::Provider;
pub use quota::take as take_quota;
pub use recovery::{change_password, forgot_password, reset_password};
pub use roles::{promote, set_admin};
pub use secrets::tokens::xsrf_token;
pub use sessions::session::Session;
pub use sessions::{NewSession, by_session, revoke_other_sessions, revoke_session, sessions, sign_in, sign_out};
pub use sign_up::form::{SignUp, TERMS_VERSION};
pub use sign_up::{PendingSignUp, SignedUp, finish_sign_up, sign_up};
pub use stealth::Stealth;
pub use user::{DELETED_NAME, User};

pub use crate::language::Language;

use crate::ids::UserId;
use crate::{Caller, Core, Error, Result};

/// A person by id.
///
/// # Errors
/// [`Error::NotFound`] where there is none.
pub async fn find(core: &Core, id: UserId) -> Result<Arc<User>> {
    if let Some(user) = core.users.user(id) {
        return Ok(user);
    }
    read(core, &[id]).await?.pop().ok_or(Error::NotFound { what: "user" })
}

/// Several people by id; who does not exist is missing. One statement for all whom the node does not remember.
///
/// # Errors
/// Database errors.
pub async fn find_all(core: &Core, ids: &[UserId]) -> Result<HashMap<UserId, Arc<User>>> {
    let mut found: Vec<Arc<User>> = ids.iter().filter_map(|id| core.users.user(*id)).collect();
    let known: HashSet<UserId> = found.iter().map(|user| user.id).collect();
    let unknown: Vec<UserId> = ids.iter().copied().filter(|id| !known.contains(id)).collect();
    if !unknown.is_empty() {
        found.extend(read(core, &unknown).await?);
    }
    Ok(found.into_iter().map(|user| (user.id, user)).collect())
}

/// Whoever has this address and has shown that it is theirs, where anybody can; `field` names where the address stands.
///
/// # Errors
/// [`Error::Invalid`] for what is no address.
pub async fn by_email(core: &Core, field: &str, text: &str) -> Result<Option<Arc<User>>> {
    let email = check::email(text).map_err(|message| Error::invalid(field, message))?;
    let Some(id) = store::by_email(&core.db, &email).await? else { return Ok(None) };
    let found = read(core, &[id]).await?.pop();
    Ok(found.filter(|user| can_be_mailed(core, user)))
}

/// Reads people, and remembers them unless somebody was forgotten meanwhile.
async fn read(core: &Core, ids: &[UserId]) -> Result<Vec<Arc<User>>> {
    let before = core.users.generation();
    let users: Vec<Arc<User>> = store::find(&core.db, ids).await?.into_iter().map(Arc::new).collect();
    for user in &users {
        core.users.remember_user(user, before);
    }
    Ok(users)
}

/// The signed-in person.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest.
pub async fn current(core: &Core, caller: &Caller) -> Result<Arc<User>> {
    match find(core, caller.signed_in()?).await {
        Err(Error::NotFound { .. }) => Err(Error::LoginRequired),
        other => other,
    }
}

/// Whether nobody has signed up yet.
///
/// # Errors
/// Database errors.
pub async fn are_none(core: &Core) -> Result<bool> {
    Ok(store::are_none(&core.db).await?)
}

/// Makes every node forget what it remembers of this person; after the commit of a transaction with [`ban_within`] or
/// [`lift_ban_within`], which have written it down for nodes that do not hear this.
pub async fn changed(core: &Core, id: UserId) {
    memory::forget(core, id).await;
}

#[cfg(feature = "testing")]
pub mod factory;

#[cfg(test)]
mod tests;
