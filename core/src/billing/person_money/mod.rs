//! The money of one user, as admins see it: plan, subscription, credits and newest orders. Admins take credits back here;
//! credits of an order are taken back by its refund, so that money and credits agree.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::orders::{self, HistoryOrder, order_of_source};
use super::subscriptions::{self, SubscriptionDetails};
use super::text::reason_text;
use crate::ids::UserId;
use crate::ledger::{self, Balance, Grant, OperatorDebit};
use crate::users::{self, User};
use crate::{Caller, Core, Error, Result};

/// Orders that are shown.
const NEWEST_ORDERS: i64 = 5;

#[derive(Debug, Clone)]
pub struct PersonMoney {
    /// With the plans.
    pub user: Arc<User>,
    pub balance: Balance,
    /// Grants with credits left or held, in the order of spending.
    pub grants: Vec<Grant>,
    /// The live one, or the last one that ended within 30 days; without the method of payment.
    pub subscription: Option<SubscriptionDetails>,
    /// The newest ones, newest first, with what the user was given.
    pub orders: Vec<HistoryOrder>,
}

/// The money of a user.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] if the caller is no admin; [`Error::NotFound`].
pub async fn of_person(core: &Core, caller: &Caller, id: UserId) -> Result<PersonMoney> {
    caller.must_be_admin()?.read_only();
    let user = users::find(core, id).await?;
    let (balance, grants) = ledger::account_of_anyone(core, caller, id).await?;
    let subscription = subscriptions::newest_of_user(core, id).await?;
    let orders = orders::newest_of_user(core, id, NEWEST_ORDERS).await?;
    Ok(PersonMoney { user, balance, grants, subscription, orders })
}

/// Takes available credits of a grant back.
///
/// # Errors
/// As [`ledger::debit_by_operator`]; [`Error::Invalid`] for a reason without characters or with more than 200, and for the
/// source of an order.
pub async fn take_back(core: &Core, caller: &Caller, user: UserId, debit: OperatorDebit) -> Result<Balance> {
    // The debit records the act.
    caller.must_be_admin()?.read_only();
    let reason = reason_text(&debit.reason)?;
    if order_of_source(&debit.source).is_some() {
        return Err(Error::invalid("source", "is an order: refund it to take its credits back"));
    }
    ledger::debit_by_operator(core, caller, user, OperatorDebit { reason, ..debit }).await
}
