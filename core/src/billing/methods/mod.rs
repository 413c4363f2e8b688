//! Payment methods: cards that a provider has saved and charges when we ask. The first one of a user is the default.
//!
//! The user enters the card at the provider's window and comes back; then the provider is asked for it. The states are in
//! `state`, `seal` keeps billing keys, and `forgetting` deletes them at their provider.

#[cfg(test)]
pub(in crate::billing) mod factory;
mod forgetting;
mod method;
mod seal;
mod state;
mod store;
#[cfg(test)]
mod tests;

use secrecy::{ExposeSecret as _, SecretString};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

pub use forgetting::{FORGOTTEN_AT_ONCE, forget_due};
pub use method::{PaymentMethod, PaymentMethodState, PaymentMethodWindow};

use crate::billing::money::{BillingCountry, Currency};
use crate::billing::providers::{self, CardForm, CardReport, NewCard, SavedCard, SavedCardDetails};
use crate::ids::{PaymentMethodId, UserId};
use crate::list::{Cursor, ListQuery, Page};
use crate::{Caller, Code, Core, Error, Result, database, users};
use state::{MethodEvent, MethodRefusal, OPENING_TIME, next};

/// Cards that an account may begin to save per hour. Few, so that no stolen cards are tried here.
const CARDS_PER_HOUR: u32 = 20;
/// Methods that are given up in one round.
const EXPIRED_AT_ONCE: i64 = 500;
/// Characters of what a provider's window returns.
const MAX_AUTH_KEY_CHARS: usize = 300;

const UNKNOWN: Error = Error::NotFound { what: "payment method" };

/// The caller's payment methods: the default one first, then the newest.
///
/// # Errors
/// [`Error::LoginRequired`].
pub async fn list(core: &Core, caller: &Caller) -> Result<Vec<PaymentMethod>> {
    let user = caller.signed_in()?;
    Ok(store::list(&core.db, user).await?)
}

/// All cards that the caller has saved, also removed ones, newest first; for the export of an account.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::Invalid`] for a cursor that this list did not return.
pub async fn own_ever(core: &Core, caller: &Caller, query: ListQuery<'_>) -> Result<Page<PaymentMethod>> {
    let user = caller.signed_in()?;
    let keyset = query.keyset()?;
    let found = store::all_of(&core.db, user, keyset.after.id, keyset.limit).await?;
    Ok(keyset.page(found, |last| Cursor::of(last.id)))
}

/// The method to charge in a currency: the default one if it can be charged, or else the newest one that can be. `None`
/// also if its provider is no longer set up.
///
/// # Errors
/// If the database does not answer.
pub(in crate::billing) async fn usable(
    core: &Core,
    user: UserId,
    currency: Currency,
) -> sqlx::Result<Option<PaymentMethod>> {
    match providers::card_provider_for(core, currency) {
        Some(provider) => store::usable(&core.db, user, currency, provider).await,
        None => Ok(None),
    }
}

/// The last four characters of a card's number, also of a removed one.
///
/// # Errors
/// If the database does not answer.
pub(in crate::billing) async fn last_four(core: &Core, id: PaymentMethodId) -> sqlx::Result<Option<String>> {
    Ok(store::find(&core.db, id).await?.and_then(|method| method.last_four()))
}

/// Begins to save a card at the provider of the country.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::Banned`]; a conflict `BUYING_NOT_SET_UP` if no cards are saved in the country's
/// currency; [`Error::RateLimited`]; [`Error::Unavailable`] if the provider does not answer.
pub async fn begin(core: &Core, caller: &Caller, country: BillingCountry) -> Result<PaymentMethodWindow> {
    let user = caller.signed_in()?;
    let permit = users::may_take_part(core, caller).await?;
    let currency = country.currency();
    let Some(provider) = providers::card_provider_for(core, currency) else {
        let message = format!("no cards are saved for payments in {} here", currency.name());
        return Err(Error::conflict(Code::BuyingNotSetUp, message));
    };
    users::take_quota(core, "payment-method", &user.to_string(), CARDS_PER_HOUR).await?;
    let id = PaymentMethodId::new();
    let page = format!("/account?tab=payment&method={id}");
    let opened = provider.open_card(core, &NewCard { key: id.0, return_path: &page }).await?;
    let method = PaymentMethod {
        id,
        user,
        provider,
        state: PaymentMethodState::Opening,
        label: String::new(),
        issuer: String::new(),
        currency,
        is_default: false,
        created_at: core.clock.now(),
    };
    store::insert(&core.db, &permit, &method, &opened.reference).await?;
    Ok(PaymentMethodWindow { id, window: opened.window, has_card_form: provider.has_card_form(core) })
}

/// Asks the provider for the card that the caller has entered at its window. A repetition changes nothing.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::NotFound`] also for another user's method; conflicts `PAYMENT_METHOD_NOT_READY` and
/// `CARD_REFUSED` with the provider's reason; [`Error::Unavailable`] if the provider does not answer.
pub async fn complete(
    core: &Core,
    caller: &Caller,
    id: PaymentMethodId,
    auth_key: Option<&SecretString>,
) -> Result<PaymentMethod> {
    let method = own(core, caller, id).await?;
    if auth_key.is_some_and(|key| key.expose_secret().len() > MAX_AUTH_KEY_CHARS) {
        return Err(Error::invalid("authKey", format!("must have at most {MAX_AUTH_KEY_CHARS} characters")));
    }
    if method.state == PaymentMethodState::Usable {
        return Ok(method);
    }
    let (reference, _) = store::secret(&core.db, id).await?.ok_or(UNKNOWN)?;
    settle(core, &method, method.provider.finish_card(core, &reference, auth_key).await?).await
}

/// Saves a card that the caller has entered at a form of ours.
///
/// # Errors
/// As [`complete`]; also [`Error::NotFound`] where there is no such form, [`Error::InvalidFields`], and
/// [`Error::RateLimited`].
pub async fn save_card(core: &Core, caller: &Caller, id: PaymentMethodId, form: CardForm) -> Result<PaymentMethod> {
    let method = own(core, caller, id).await?;
    if !method.provider.has_card_form(core) {
        return Err(UNKNOWN);
    }
    let form = form.checked(core.clock.now())?;
    if method.state == PaymentMethodState::Usable {
        return Ok(method);
    }
    users::take_quota(core, "card", &method.user.to_string(), CARDS_PER_HOUR).await?;
    let (reference, _) = store::secret(&core.db, id).await?.ok_or(UNKNOWN)?;
    settle(core, &method, method.provider.save_card(core, &reference, &form).await?).await
}

/// Whether cards can be entered at a form of ours.
#[must_use]
pub fn has_card_form(core: &Core) -> bool {
    Currency::ALL
        .into_iter()
        .any(|currency| providers::card_provider_for(core, currency).is_some_and(|one| one.has_card_form(core)))
}

/// Makes a method the one that is charged first.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::NotFound`] also for one that is not usable.
pub async fn make_default(core: &Core, caller: &Caller, id: PaymentMethodId) -> Result<PaymentMethod> {
    let user = caller.signed_in()?;
    let mut tx = database::begin(&core.db).await?;
    let methods = store::lock(&mut tx, user).await?;
    let method = methods.into_iter().find(|one| one.id == id && one.state == PaymentMethodState::Usable);
    let method = method.ok_or(UNKNOWN)?;
    store::set_default(&mut tx, &method).await?;
    tx.commit().await?;
    Ok(PaymentMethod { is_default: true, ..method })
}

/// Removes a method. Its secret is forgotten at once, and then deleted at the provider.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::NotFound`] also for one that is not usable; a conflict `DEFAULT_PAYMENT_METHOD`.
pub async fn remove(core: &Core, caller: &Caller, id: PaymentMethodId) -> Result<()> {
    let user = caller.signed_in()?;
    let mut tx = database::begin(&core.db).await?;
    let method = store::lock(&mut tx, user).await?.into_iter().find(|one| one.id == id).ok_or(UNKNOWN)?;
    let state = next(method.state, method.is_default, MethodEvent::Remove).map_err(refused)?;
    store::forget_keys_of(&mut tx, &[id.0], core.clock.now()).await?;
    store::end(&mut tx, id, state).await?;
    tx.commit().await?;
    Ok(())
}

/// Removes all methods of a deleted account, as [`remove`].
pub async fn forget(core: &Core, user: UserId) -> Result<()> {
    let state = next(PaymentMethodState::Usable, false, MethodEvent::CloseAccount).map_err(refused)?;
    let mut tx = database::begin(&core.db).await?;
    let methods: Vec<Uuid> = store::lock(&mut tx, user).await?.into_iter().map(|method| method.id.0).collect();
    store::forget_keys_of(&mut tx, &methods, core.clock.now()).await?;
    store::forget(&mut tx, user, state).await?;
    tx.commit().await?;
    Ok(())
}

/// Gives up the methods that were not finished in time; returns their number.
pub(in crate::billing) async fn expire(core: &Core) -> Result<u64> {
    let state = next(PaymentMethodState::Opening, false, MethodEvent::Expire).map_err(refused)?;
    Ok(store::expire(&core.db, core.clock.now() - OPENING_TIME, state, EXPIRED_AT_ONCE).await?)
}

/// The card of a method, for a charge. After its removal it has no secret.
///
/// # Errors
/// [`Error::Internal`] if the secret cannot be opened with the operator's key.
pub(in crate::billing) async fn saved_card(core: &Core, id: PaymentMethodId) -> Result<SavedCard> {
    let (reference, sealed) = store::secret(&core.db, id).await?.ok_or(UNKNOWN)?;
    let key = core.settings.payments.key.as_ref();
    let secret = sealed.map(|sealed| seal::unseal(key, id, &sealed)).transpose()?;
    Ok(SavedCard { reference, secret })
}

async fn own(core: &Core, caller: &Caller, id: PaymentMethodId) -> Result<PaymentMethod> {
    let user = caller.signed_in()?;
    let method = store::find(&core.db, id).await?.filter(|method| method.user == user);
    method.filter(|method| method.state != PaymentMethodState::Removed).ok_or(UNKNOWN)
}

/// Does what follows from the provider's report on an opening method.
async fn settle(core: &Core, method: &PaymentMethod, report: CardReport) -> Result<PaymentMethod> {
    match report {
        CardReport::Saved(details) => save(core, method, &details).await,
        CardReport::NotReady => {
            let message = "the card was not entered at the payment provider";
            Err(Error::conflict(Code::PaymentMethodNotReady, message))
        }
        CardReport::Refused(reason) => Err(Error::ConflictWith {
            code: Code::CardRefused,
            message: "the payment provider refuses this card".to_owned(),
            details: json!({ "reason": reason }),
        }),
    }
}

async fn save(core: &Core, method: &PaymentMethod, details: &SavedCardDetails) -> Result<PaymentMethod> {
    let key = core.settings.payments.key.as_ref();
    let sealed = details.secret.as_ref().map(|secret| seal::seal(key, method.id, secret)).transpose()?;
    let mut tx = database::begin(&core.db).await?;
    let methods = store::lock(&mut tx, method.user).await?;
    let now = methods.iter().find(|one| one.id == method.id).ok_or(UNKNOWN)?;
    let saved = next(now.state, now.is_default, MethodEvent::Save);
    if now.state == PaymentMethodState::Opening {
        store::save(&mut tx, now, details, sealed.as_deref()).await?;
        if !methods.iter().any(|one| one.is_default) {
            store::set_default(&mut tx, now).await?;
        }
    } else if let Some(sealed) = sealed
        && !has_key(core, &mut tx, now.id, details.secret.as_ref()).await?
    {
        // The card was entered twice, or removed while the provider saved it.
        store::forget_spare_key(&mut tx, now.id, &sealed, core.clock.now()).await?;
    }
    tx.commit().await?;
    saved.map_err(refused)?;
    store::find(&core.db, method.id).await?.ok_or(UNKNOWN)
}

/// Whether a method keeps this billing key. A removed method keeps none.
async fn has_key(
    core: &Core,
    connection: &mut PgConnection,
    id: PaymentMethodId,
    secret: Option<&SecretString>,
) -> Result<bool> {
    let Some((_, Some(sealed))) = store::secret(connection, id).await? else { return Ok(false) };
    let kept = seal::unseal(core.settings.payments.key.as_ref(), id, &sealed)?;
    Ok(secret.is_some_and(|secret| secret.expose_secret() == kept.expose_secret()))
}

fn refused(why: MethodRefusal) -> Error {
    match why {
        MethodRefusal::Unknown => UNKNOWN,
        MethodRefusal::Default => {
            let message = "this card is the default one; choose another one first";
            Error::conflict(Code::DefaultPaymentMethod, message)
        }
    }
}
