//! People: sign-up, sign-in (with a password, or through Google and Discord), proven addresses, lost passwords,
//! sessions, API keys.
//!
//! Tokens and keys are random and kept only as hashes. Who a token belongs to is remembered for a short time, so that
//! a warm request asks no database; a change makes all nodes forget at once.

mod api_keys;
mod bans;
mod blocks;
mod chat;
mod check;
mod contact_points;
mod filter;
mod gate;
mod guessable;
mod leaving;
mod linking;
mod memory;
mod password;
mod people;
mod plan;
mod presence;
mod providers;
mod quota;
mod recovery;
mod roles;
mod sessions;
mod slowdown;
mod social;
mod store;
mod tokens;
mod verification;

use std::net::IpAddr;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use secrecy::SecretString;

pub use api_keys::{ApiKey, NewApiKey, api_keys, by_api_key, create_api_key, revoke_api_key};
pub use bans::{Ban, ban_within, lift_ban_within};
pub use blocks::{Block, MAX_BLOCKS, block, blocked_among, blocks, has_blocked, unblock};
pub use chat::{ChatMember, chat_member};
pub use contact_points::{ContactKind, ContactPoint, contact_points, set_contact_points};
pub use filter::{PeopleAsked, PeopleFilter, PeopleFound, count, counts, filtered, public_counts};
pub use gate::{Permit, PublishPermit, may_publish, may_take_part};
pub use leaving::{DELETED_NAME, Farewell, begin_export, delete, departed, note_cleared};
pub use linking::{LinkReturn, finish_linking, start_linking, unlink};
pub use memory::{Memory, SignedIn};
pub use people::{MAX_PEOPLE, Sighting, people, session_count, sightings, similar};
pub use plan::plan;
pub use presence::{Presence, Proof};
pub use providers::Provider;
pub use quota::take as take_quota;
pub use recovery::{change_password, forgot_password, reset_password};
pub use roles::{promote, set_admin};
pub use sessions::{
    NewSession, Session, by_session, revoke_other_sessions, revoke_session, sessions, sign_in, sign_out, sign_up,
};
pub use social::{Arrived, Returned, Started, finish_social, providers, start_social};
pub use tokens::xsrf_token;
pub use verification::{can_be_mailed, confirm, resend_verification, verify_email};

pub use crate::language::Language;

use crate::ids::{AssetId, UserId};
use crate::{Caller, Core, Error, Result};

/// Which terms of use and which privacy policy people agree to: the day on which their texts changed last. It is kept
/// with each agreement, and shown above the texts.
pub const TERMS_VERSION: &str = "2026-11-21";

/// A person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    /// In lower case.
    pub email: String,
    pub name: String,
    /// Tells apart people of the same name; see [`User::name_tag`].
    pub tag: i32,
    pub language: Language,
    pub is_admin: bool,
    /// Name of a plan of the settings.
    pub plan: String,
    pub profile: Option<AssetId>,
    pub created_at: DateTime<Utc>,
    /// Whether they have shown that they read the address.
    pub email_verified: bool,
    /// Whether they can sign in with a password.
    pub has_password: bool,
    /// Where else they sign in.
    pub providers: Vec<Provider>,
    /// The last ban that was not lifted; it may be over. See [`User::ban_at`].
    pub ban: Option<Ban>,
}

impl User {
    /// `#1234`.
    #[must_use]
    pub fn name_tag(&self) -> String {
        format!("#{:04}", self.tag)
    }

    /// The specification's roles.
    #[must_use]
    pub fn roles(&self) -> &'static [&'static str] {
        if self.is_admin { &["Customer", "Admin"] } else { &["Customer"] }
    }
}

/// Where a request came from, as far as it is known.
#[derive(Debug, Clone, Default)]
pub struct Origin {
    pub address: Option<IpAddr>,
    /// What the browser calls itself.
    pub user_agent: Option<String>,
}

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

/// A person by id.
///
/// # Errors
/// [`Error::NotFound`] where there is none.
pub async fn find(core: &Core, id: UserId) -> Result<Arc<User>> {
    if let Some(user) = core.users.user(id) {
        return Ok(user);
    }
    let before = core.users.generation();
    let user = store::find(&core.db, id).await?.map(Arc::new).ok_or(Error::NotFound { what: "user" })?;
    core.users.remember_user(&user, before);
    Ok(user)
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

/// Gives the caller another name, and another tag where somebody of that name has theirs.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest; [`Error::Invalid`] for a name that is too short or too long.
pub async fn set_name(core: &Core, caller: &Caller, name: &str) -> Result<Arc<User>> {
    let id = caller.signed_in()?;
    let permit = may_take_part(core, caller).await?;
    let name = check::name(name).map_err(|message| Error::invalid("name", message))?;
    store::set_name(&core.db, &permit, id, &name).await?;
    memory::forget(core, id).await;
    current(core, caller).await
}

/// Sets the language of the pages.
///
/// # Errors
/// [`Error::LoginRequired`] for a guest.
pub async fn set_language(core: &Core, caller: &Caller, language: Language) -> Result<Arc<User>> {
    let id = caller.signed_in()?;
    store::set_language(&core.db, id, language).await?;
    memory::forget(core, id).await;
    current(core, caller).await
}

/// Shows this picture beside the person's name; `None` for none. For rooms that have decided that everybody may see it.
///
/// # Errors
/// Database errors.
pub async fn set_profile(core: &Core, id: UserId, picture: Option<AssetId>) -> Result<Arc<User>> {
    store::set_profile(&core.db, id, picture).await?;
    memory::forget(core, id).await;
    find(core, id).await
}

/// Whether nobody has signed up yet.
///
/// # Errors
/// Database errors.
pub async fn are_none(core: &Core) -> Result<bool> {
    Ok(store::are_none(&core.db).await?)
}

/// Makes every node forget what it remembers of this person; after the commit of a transaction that changed their row.
pub async fn changed(core: &Core, id: UserId) {
    memory::forget(core, id).await;
}

#[cfg(feature = "testing")]
pub mod factory;

#[cfg(test)]
mod tests;
