//! What subscribers do: subscribe, change the plan, cancel, resume, try a payment again.

use chrono::{DateTime, Utc};

use super::agreements;
use super::lists::{UNKNOWN, current, live_of};
use super::renewals;
use super::settle;
use super::state::{self, ComparedPlan};
use super::store::subscriptions;
use super::subscription::{ChangeTime, PaidWith, PlanChange, Subscription, SubscriptionDetails, SubscriptionStatus};
use crate::billing::items::{self, ShopItem};
use crate::billing::methods::{self, PaymentMethod};
use crate::billing::money::{BillingCountry, Currency, Money};
use crate::billing::orders::{ORDERS_PER_HOUR, Order, PlanPeriod, placing};
use crate::billing::providers::{self, ProviderName};
use crate::ids::{ShopItemId, SubscriptionId, UserId};
use crate::settings::Plan;
use crate::users::WritePermit;
use crate::{Caller, Code, Core, Error, Result, database, users};

/// Subscribes the caller to a plan. `shown` is the price that the caller agreed to. The card is charged for the first
/// month; a declined charge ends the subscription, which is returned. Where PayPal charges, the buyer approves it at
/// `pay_at` first.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::Banned`]; [`Error::NotFound`] for an item that is not offered or is no plan;
/// conflicts `BUYING_NOT_SET_UP`, `PRICE_CHANGED`, `PLAN_NOT_BETTER`, `NO_PAYMENT_METHOD` and `SUBSCRIPTION_EXISTS`;
/// [`Error::RateLimited`]; [`Error::Unavailable`] if the provider does not answer: then nothing is charged.
pub async fn subscribe(
    core: &Core,
    caller: &Caller,
    item: ShopItemId,
    country: BillingCountry,
    shown: i64,
) -> Result<SubscriptionDetails> {
    let user = caller.signed_in()?;
    let permit = users::may_take_part(core, caller).await?;
    let (item, plan) = offered_plan(core, item).await?;
    let currency = country.currency();
    let price = price_of(core, &item, currency)?;
    price.must_be_shown(shown)?;
    let owner = users::current(core, caller).await?;
    if rank_of(core, &plan.name) <= users::rank_without_subscription(core, &owner) {
        let message = "the account has this plan or a larger one without a subscription";
        return Err(Error::conflict(Code::PlanNotBetter, message));
    }
    let agreed = providers::agreement_provider_for(core, currency);
    let method = match agreed {
        Some(_) => None,
        None => Some(usable_method(core, user, currency).await?),
    };
    users::take_quota(core, "order", &user.to_string(), ORDERS_PER_HOUR).await?;
    let now = core.clock.now();
    let new = Subscription {
        id: SubscriptionId::new(),
        user,
        status: SubscriptionStatus::Pending,
        paid_with: if method.is_some() { PaidWith::Card } else { PaidWith::PayPal },
        item: item.id,
        plan: plan.name.clone(),
        price,
        period: 0,
        anchor: now,
        from: now,
        until: state::month_after(now, now),
        is_canceled: false,
        next: None,
        tries: 0,
        open_order: None,
        due_at: None,
        created_at: now,
        ended_at: None,
        end_reason: None,
    };
    match (method, agreed) {
        (Some(method), _) => charge_first(core, &permit, new, (&item, plan), &method).await?,
        (None, Some(provider)) => open_agreement(core, &permit, &new, provider).await?,
        (None, None) => return Err(no_method(currency)),
    }
    current(core, caller).await?.ok_or(UNKNOWN)
}

/// Inserts a subscription, and charges its first month to the card.
async fn charge_first(
    core: &Core,
    permit: &WritePermit,
    new: Subscription,
    (item, plan): (&ShopItem, &Plan),
    method: &PaymentMethod,
) -> Result<()> {
    let order = Order::new(new.user, item, new.price, method.provider, new.created_at);
    let new = Subscription { open_order: Some(order.id), ..new };
    let period = PlanPeriod {
        subscription: new.id,
        plan: new.plan.clone(),
        plan_amount: new.price.amount,
        number: 1,
        from: new.from,
        until: new.until,
        is_change: false,
    };
    let order = Order { credits: plan.monthly_credits, period: Some(period), ..order };
    let mut tx = database::begin(&core.db).await?;
    subscriptions::insert(&mut tx, &new).await.map_err(exists)?;
    let payment = placing::payment_of(&order, Some(method));
    placing::insert(&mut tx, Some(permit), &order, &payment).await?;
    tx.commit().await?;
    placing::open(core, &order, &payment, Some(method)).await?;
    Ok(())
}

/// Inserts a subscription that PayPal charges, or the test provider in its place, and opens its agreement.
async fn open_agreement(core: &Core, permit: &WritePermit, new: &Subscription, provider: ProviderName) -> Result<()> {
    let plan = agreements::plan_of(core, new, provider).await?;
    let mut tx = database::begin(&core.db).await?;
    subscriptions::insert(&mut tx, new).await.map_err(exists)?;
    agreements::insert(&mut tx, permit, new, provider).await?;
    tx.commit().await?;
    agreements::open(core, new, provider, &plan).await
}

/// Asks PayPal what became of the caller's subscription, and returns it. A card's is returned as it is.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::NotFound`] without a subscription. If PayPal does not answer, the subscription is
/// returned as it was: the upkeep task goes on.
pub async fn complete(core: &Core, caller: &Caller) -> Result<SubscriptionDetails> {
    let found = current(core, caller).await?.ok_or(UNKNOWN)?;
    let Subscription { id, paid_with, .. } = found.subscription;
    if paid_with == PaidWith::Card {
        return Ok(found);
    }
    agreements::follow_of(core, id).await?;
    current(core, caller).await?.ok_or(UNKNOWN)
}

/// What a change to the plan of an item costs, and when it takes effect.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::NotFound`] without a live subscription, and for an item that is not offered or is no
/// plan; conflicts `BUYING_NOT_SET_UP`, `SUBSCRIPTION_NOT_CHANGEABLE` and `SUBSCRIPTION_AT_PAYPAL`.
pub async fn quote_change(core: &Core, caller: &Caller, item: ShopItemId) -> Result<PlanChange> {
    let subscription = live_of(core, caller.signed_in()?).await?;
    must_pay_by_card(&subscription)?;
    let target = Target::find(core, &subscription, item).await?;
    let now = core.clock.now();
    must_be_changeable(&subscription, now)?;
    Ok(target.change(core, &subscription, now))
}

/// Changes the plan: at once for the shown amount, or with the next period. Choosing the current plan takes a planned
/// change back.
///
/// # Errors
/// As [`quote_change`]; conflicts `PRICE_CHANGED` and `NO_PAYMENT_METHOD`; [`Error::RateLimited`]; [`Error::Unavailable`]
/// if the provider does not answer: then nothing is charged.
pub async fn change_plan(core: &Core, caller: &Caller, item: ShopItemId, shown: i64) -> Result<SubscriptionDetails> {
    let user = caller.signed_in()?;
    let permit = users::may_take_part(core, caller).await?;
    let seen = live_of(core, user).await?;
    must_pay_by_card(&seen)?;
    let target = Target::find(core, &seen, item).await?;
    let now = core.clock.now();
    let method = match target.change(core, &seen, now).when {
        ChangeTime::Now => {
            users::take_quota(core, "order", &user.to_string(), ORDERS_PER_HOUR).await?;
            Some(usable_method(core, user, seen.price.currency).await?)
        }
        ChangeTime::AtPeriodEnd => None,
    };
    let mut tx = database::begin(&core.db).await?;
    let before = subscriptions::lock(&mut tx, seen.id).await?.ok_or(UNKNOWN)?;
    must_be_changeable(&before, now)?;
    let change = target.change(core, &before, now);
    change.price.must_be_shown(shown)?;
    let placed = match (change.when, method) {
        (ChangeTime::Now, Some(method)) => {
            let order = target.order(core, &before, &change, &method);
            let payment = placing::payment_of(&order, Some(&method));
            placing::insert(&mut tx, Some(&permit), &order, &payment).await?;
            let open = Subscription { open_order: Some(order.id), ..before };
            subscriptions::update(&mut tx, &open).await?;
            Some((order, payment, method))
        }
        (ChangeTime::Now, None) => return Err(not_changeable("the subscription has changed; load it again")),
        (ChangeTime::AtPeriodEnd, _) => {
            let planned = state::plan_next(&before, target.compared(core));
            subscriptions::update(&mut tx, &planned).await?;
            None
        }
    };
    tx.commit().await?;
    if let Some((order, payment, method)) = placed {
        placing::open(core, &order, &payment, Some(&method)).await?;
    }
    current(core, caller).await?.ok_or(UNKNOWN)
}

/// Cancels the caller's subscription: it ends with the paid period.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::NotFound`] without a live subscription; a conflict `SUBSCRIPTION_NOT_CHANGEABLE`
/// while a payment is under way.
pub async fn cancel(core: &Core, caller: &Caller) -> Result<SubscriptionDetails> {
    let now = core.clock.now();
    let refusal = "a payment is under way; try again in a moment";
    update_own(core, caller, refusal, |subscription| state::cancel(subscription, now)).await
}

/// Takes a cancellation back.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::NotFound`] without a live subscription; conflicts `SUBSCRIPTION_NOT_CHANGEABLE` if
/// its period is over, and `SUBSCRIPTION_AT_PAYPAL`: what PayPal has stopped to charge cannot go on there.
pub async fn resume(core: &Core, caller: &Caller) -> Result<SubscriptionDetails> {
    must_pay_by_card(&live_of(core, caller.signed_in()?).await?)?;
    let now = core.clock.now();
    update_own(core, caller, "the paid period is over", |subscription| state::resume(subscription, now)).await
}

/// Charges the caller's subscription whose last charge failed, without waiting for the next try.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::Banned`]; [`Error::NotFound`] without a live subscription; conflicts
/// `SUBSCRIPTION_NOT_CHANGEABLE`, `SUBSCRIPTION_AT_PAYPAL` and `NO_PAYMENT_METHOD`; [`Error::RateLimited`];
/// [`Error::Unavailable`] if the provider does not answer.
pub async fn retry(core: &Core, caller: &Caller) -> Result<SubscriptionDetails> {
    let user = caller.signed_in()?;
    let permit = users::may_take_part(core, caller).await?;
    let subscription = live_of(core, user).await?;
    must_pay_by_card(&subscription)?;
    if subscription.status != SubscriptionStatus::PastDue || subscription.open_order.is_some() {
        return Err(not_changeable("no payment of this subscription has failed"));
    }
    usable_method(core, user, subscription.price.currency).await?;
    users::take_quota(core, "order", &user.to_string(), ORDERS_PER_HOUR).await?;
    renewals::charge_now(core, &permit, &subscription).await?;
    current(core, caller).await?.ok_or(UNKNOWN)
}

async fn update_own(
    core: &Core,
    caller: &Caller,
    refusal: &str,
    decide: impl FnOnce(&Subscription) -> Option<Subscription> + Send,
) -> Result<SubscriptionDetails> {
    let seen = live_of(core, caller.signed_in()?).await?;
    let mut tx = database::begin(&core.db).await?;
    let before = subscriptions::lock(&mut tx, seen.id).await?.ok_or(UNKNOWN)?;
    let after = decide(&before).ok_or_else(|| not_changeable(refusal))?;
    settle::write(&mut tx, &before, &after).await?;
    tx.commit().await?;
    users::invalidate(core, after.user).await;
    if state::is_stopped(&after) {
        // PayPal is asked at once.
        core.payments.wake_up().notify_one();
    }
    current(core, caller).await?.ok_or(UNKNOWN)
}

/// The plan to change to.
struct Target {
    item: ShopItem,
    plan: String,
    credits: i64,
    price: Money,
}

impl Target {
    async fn find(core: &Core, subscription: &Subscription, item: ShopItemId) -> Result<Self> {
        // The current plan can be kept at its price, also if it is no longer offered.
        if item == subscription.item {
            let item = items::find(core, item).await?;
            let credits = Plan::monthly_credits_of(&core.settings.plans, &subscription.plan);
            return Ok(Self { item, plan: subscription.plan.clone(), credits, price: subscription.price });
        }
        let (item, plan) = offered_plan(core, item).await?;
        let price = price_of(core, &item, subscription.price.currency)?;
        Ok(Self { item, plan: plan.name.clone(), credits: plan.monthly_credits, price })
    }

    fn compared(&self, core: &Core) -> ComparedPlan<'_> {
        ComparedPlan {
            item: self.item.id,
            plan: &self.plan,
            rank: rank_of(core, &self.plan),
            amount: self.price.amount,
            credits: self.credits,
        }
    }

    fn change(&self, core: &Core, subscription: &Subscription, now: DateTime<Utc>) -> PlanChange {
        let current = ComparedPlan {
            item: subscription.item,
            plan: &subscription.plan,
            rank: rank_of(core, &subscription.plan),
            amount: subscription.price.amount,
            credits: Plan::monthly_credits_of(&core.settings.plans, &subscription.plan),
        };
        state::change(subscription, current, self.compared(core), now)
    }

    /// The order of the difference.
    fn order(&self, core: &Core, of: &Subscription, change: &PlanChange, method: &PaymentMethod) -> Order {
        let period = PlanPeriod {
            subscription: of.id,
            plan: self.plan.clone(),
            plan_amount: self.price.amount,
            number: of.period,
            from: of.from,
            until: of.until,
            is_change: true,
        };
        let order = Order::new(of.user, &self.item, change.price, method.provider, core.clock.now());
        Order { credits: change.credits, period: Some(period), ..order }
    }
}

async fn offered_plan(core: &Core, item: ShopItemId) -> Result<(ShopItem, &Plan)> {
    let item = items::find_offered(core, item).await?;
    let plan = item.product.plan().and_then(|plan| core.settings.plan(plan)).ok_or(items::UNKNOWN)?;
    Ok((item, plan))
}

fn price_of(core: &Core, item: &ShopItem, currency: Currency) -> Result<Money> {
    let price = item.prices.in_currency(currency).filter(|_| providers::can_buy_in(core, currency));
    price.ok_or_else(|| {
        let message = format!("this cannot be subscribed to in {} here", currency.name());
        Error::conflict(Code::BuyingNotSetUp, message)
    })
}

async fn usable_method(core: &Core, user: UserId, currency: Currency) -> Result<PaymentMethod> {
    methods::usable(core, user, currency).await?.ok_or_else(|| no_method(currency))
}

fn no_method(currency: Currency) -> Error {
    Error::conflict(Code::NoPaymentMethod, format!("the account has no card for payments in {}", currency.name()))
}

fn rank_of(core: &Core, plan: &str) -> usize {
    Plan::rank(&core.settings.plans, plan).unwrap_or(0)
}

fn must_be_changeable(subscription: &Subscription, now: DateTime<Utc>) -> Result<()> {
    if state::is_changeable(subscription, now) {
        return Ok(());
    }
    Err(not_changeable(
        "the plan cannot be changed while a payment is under way or has failed, or after a cancellation",
    ))
}

/// PayPal charges a plan by its own calendar: a change needs the buyer's approval there and begins with a later charge, so
/// that neither a difference nor a smaller plan can be charged as it was shown.
fn must_pay_by_card(subscription: &Subscription) -> Result<()> {
    match subscription.paid_with {
        PaidWith::Card => Ok(()),
        PaidWith::PayPal => Err(Error::conflict(
            Code::SubscriptionAtPayPal,
            "PayPal charges this subscription; cancel it, and subscribe again when its period ends",
        )),
    }
}

fn not_changeable(message: &str) -> Error {
    Error::conflict(Code::SubscriptionNotChangeable, message)
}

fn exists(error: sqlx::Error) -> Error {
    if database::violates(&error, "subscriptions_live_idx") {
        return Error::conflict(Code::SubscriptionExists, "the account has a subscription; change its plan instead");
    }
    error.into()
}
