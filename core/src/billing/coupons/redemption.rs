//! Redeeming a code.
//!
//! Credits are a post to the ledger, and the use is attached to it: both are committed, or neither. A plan is given in a
//! transaction of its own. Both lock the coupon first, so that its limits hold for uses at the same time.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use sqlx::PgConnection;
use uuid::Uuid;

use super::code;
use super::coupon::{Coupon, CouponBenefit, CouponUse};
use super::state::{CouponRefusal, PriorUses, may_use};
use super::store::coupons;
use super::store::uses::{self, NewUse};
use crate::database;
use crate::ids::{CouponId, CouponUseId, UserId};
use crate::ledger::{
    AttachedOutcome, AttachedRow, AttachedRows, AttachedWriter, GrantKind, LedgerPost, Movement, PostError, outcomes,
    typed_rows,
};
use crate::users::{self, PlanDays, RequestOrigin, WritePermit};
use crate::{Caller, Core, Error, Result};

/// Characters of a code as users write it.
pub(super) const MAX_CODE_CHARS: usize = 100;
/// Tries per account and hour, right ones included, because codes can be guessed.
pub(super) const TRIES_PER_ACCOUNT: u32 = 20;
/// Tries per network and hour.
pub(super) const TRIES_PER_NETWORK: u32 = 60;
const QUOTA: &str = "coupon";

/// Redeems a code for the caller.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::Banned`]; [`Error::Invalid`] for a text without characters or with more than
/// 100; [`Error::RateLimited`]; [`Error::CouponUnknown`]; [`Error::Conflict`] with `COUPON_ENDED`, `COUPON_USED` or
/// `COUPON_USED_UP`, and with `COUPON_FOR_PURCHASES` for a code that lowers a price; [`Error::ConflictWith`] with
/// `COUPON_NOT_STARTED` or `COUPON_PLAN_NOT_NOW`; [`Error::Refused`] with `CREDIT_LIMIT`; [`Error::Unavailable`] if the
/// ledger is busy.
pub async fn redeem(core: &Core, caller: &Caller, origin: &RequestOrigin, code: &str) -> Result<CouponUse> {
    let user = caller.signed_in()?;
    let permit = users::may_take_part(core, caller).await?;
    let FoundCoupon { key, shown, coupon } = find(core, user, origin, code).await?;
    let new = Redeemer { core, user, permit, key, now: core.clock.now() };
    let (id, until) = match &coupon.benefit {
        CouponBenefit::Credits { amount, days } => new.credits(&coupon, *amount, *days).await?,
        CouponBenefit::Plan { plan, days } => new.plan(&coupon, plan, *days).await?,
        CouponBenefit::PercentOff { .. } => return Err(CouponRefusal::ForPurchases.into()),
    };
    Ok(CouponUse { id, name: coupon.name, code: shown, benefit: coupon.benefit, used_at: new.now, until: Some(until) })
}

/// The coupon of a code.
pub(super) struct FoundCoupon {
    /// The code as codes are compared, and as it is shown.
    pub key: String,
    pub shown: String,
    pub coupon: Coupon,
}

/// Finds the coupon of a code that a user has entered. Each try is counted, because codes can be guessed.
///
/// # Errors
/// [`Error::Invalid`] for `code`; [`Error::RateLimited`]; [`Error::CouponUnknown`] also for a coupon that is not active.
pub(super) async fn find(core: &Core, user: UserId, origin: &RequestOrigin, code: &str) -> Result<FoundCoupon> {
    if !(1..=MAX_CODE_CHARS).contains(&code.chars().count()) {
        return Err(Error::invalid("code", format!("must have 1 to {MAX_CODE_CHARS} characters")));
    }
    users::take_quota(core, QUOTA, &user.to_string(), TRIES_PER_ACCOUNT).await?;
    users::take_quota_from(core, QUOTA, origin, TRIES_PER_NETWORK).await?;
    let key = code::key(code).ok_or(Error::CouponUnknown)?;
    let (id, shown) = coupons::find_code(&core.db, &key).await?.ok_or(Error::CouponUnknown)?;
    let coupon = coupons::find(&core.db, id).await?.filter(|coupon| coupon.is_active).ok_or(Error::CouponUnknown)?;
    Ok(FoundCoupon { key, shown, coupon })
}

/// A user who redeems a code.
struct Redeemer<'a> {
    core: &'a Core,
    user: UserId,
    permit: WritePermit,
    key: String,
    now: DateTime<Utc>,
}

impl Redeemer<'_> {
    async fn credits(&self, coupon: &Coupon, amount: i64, days: Option<i32>) -> Result<(CouponUseId, DateTime<Utc>)> {
        let days = days.map_or_else(|| i64::from(self.core.settings.credits.days), i64::from);
        let until = self.now + TimeDelta::days(days);
        let row = self.row(coupon, until);
        let id = row.id;
        let source = format!("coupon:{id}");
        let movement = Movement::Grant { kind: GrantKind::Coupon, source, amount, expires_at: Some(until) };
        let attached = Some(AttachedRow { writer: &UseWriter, row: Arc::new(row) });
        match self.core.ledger.post(LedgerPost { account: self.user, movement, attached }).await {
            Ok(_) => Ok((id, until)),
            Err(PostError::Refused(why)) => Err(match why.downcast::<CouponRefusal>() {
                Ok(refusal) => Error::from(*refusal),
                Err(other) => Error::from(PostError::Refused(other)),
            }),
            Err(error) => Err(error.into()),
        }
    }

    async fn plan(&self, coupon: &Coupon, plan: &str, days: i32) -> Result<(CouponUseId, DateTime<Utc>)> {
        let mut tx = database::begin(&self.core.db).await?;
        let mut row = self.row(coupon, self.now);
        if let Some(refusal) = refusals(&mut tx, &[&row]).await?.pop().flatten() {
            return Err(refusal.into());
        }
        let until = match users::add_plan_days_tx(self.core, &mut tx, &self.permit, self.user, (plan, days)).await {
            Ok(PlanDays::Until(until)) => until,
            Ok(PlanDays::NotNow { plan, until }) => return Err(CouponRefusal::PlanNotNow { plan, until }.into()),
            // The plan is no longer configured.
            Err(Error::NotFound { what: "plan" }) => return Err(Error::CouponUnknown),
            Err(error) => return Err(error),
        };
        row.until = Some(until);
        uses::insert(&mut tx, &[&row]).await?;
        tx.commit().await?;
        users::invalidate(self.core, self.user).await;
        Ok((row.id, until))
    }

    fn row(&self, coupon: &Coupon, until: DateTime<Utc>) -> NewUse {
        NewUse {
            id: CouponUseId::new(),
            coupon: coupon.id,
            key: self.key.clone(),
            is_single: coupon.code.is_none(),
            user: self.user,
            used_at: self.now,
            until: Some(until),
            order: None,
            _permit: self.permit.clone(),
        }
    }
}

/// Writes the uses of a batch of posts.
struct UseWriter;

impl AttachedWriter for UseWriter {
    fn order(&self) -> u8 {
        5
    }

    fn write<'a>(
        &'a self,
        connection: &'a mut PgConnection,
        rows: AttachedRows<'a>,
    ) -> BoxFuture<'a, sqlx::Result<Vec<AttachedOutcome>>> {
        async move {
            let rows = typed_rows::<NewUse>(rows)?;
            let refusals = refusals(connection, &rows).await?;
            let accepted = rows.iter().zip(&refusals).filter(|(_, refusal)| refusal.is_none());
            let accepted: Vec<&NewUse> = accepted.map(|(row, _)| *row).collect();
            if !accepted.is_empty() {
                uses::insert(connection, &accepted).await?;
            }
            let mut refusals = refusals.into_iter();
            Ok(outcomes(&rows, |_| refusals.next().flatten()))
        }
        .boxed()
    }
}

/// Locks the coupons of these uses, in the order of their ids so that no two batches wait for each other, and decides
/// each use after those before it. `None`: it may be written.
pub(super) async fn refusals(
    connection: &mut PgConnection,
    rows: &[&NewUse],
) -> sqlx::Result<Vec<Option<CouponRefusal>>> {
    let mut ids: Vec<Uuid> = rows.iter().map(|row| row.coupon.0).collect();
    ids.sort_unstable();
    ids.dedup();
    let locked = coupons::lock(connection, &ids).await?;
    let users: Vec<Uuid> = rows.iter().map(|row| row.user.0).collect();
    let mut counts = uses::counts(connection, &ids, &users).await?;
    let single: Vec<String> = rows.iter().filter(|row| row.is_single).map(|row| row.key.clone()).collect();
    let mut used = uses::used_codes(connection, &single).await?;
    let mut locked: HashMap<CouponId, Coupon> = locked.into_iter().map(|coupon| (coupon.id, coupon)).collect();
    let mut decide = |row: &NewUse| {
        let coupon = locked.get_mut(&row.coupon).ok_or(CouponRefusal::Unknown)?;
        let by_account = counts.entry((row.coupon, row.user)).or_default();
        let prior = PriorUses { by_account: *by_account, is_code_used: used.contains(&row.key) };
        may_use(coupon, prior, row.used_at)?;
        coupon.use_count += 1;
        *by_account += 1;
        if row.is_single {
            used.insert(row.key.clone());
        }
        Ok(())
    };
    Ok(rows.iter().map(|row| decide(row).err()).collect())
}
