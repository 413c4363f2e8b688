//! Where a job runs, what it may cost there, and how much of that is held at first.

use serde_json::json;

use crate::caller::AuthMethod;
use crate::ids::WorkflowApiVersionId;
use crate::jobs::price::Price;
use crate::jobs::queue::estimate::kind;
use crate::jobs::status::Lane;
use crate::jobs::stored_needs::StoredNeeds;
use crate::jobs::submit::submission::RunTerms;
use crate::settings::Plan;
use crate::{Caller, Code, Core, Error, Result};

/// The least hold of a job, in milliseconds of its run.
pub(super) const LEAST_MS: i64 = 1000;

/// Where a job runs, and what its run there costs and takes.
pub(super) struct Placement {
    pub pool: String,
    /// The connected workers that can run it.
    pub workers: usize,
    pub price: Price,
    /// The longest run that the plan and the submit allow.
    pub max_run_ms: i64,
    /// The key of its estimate.
    pub kind: String,
    pub estimate_ms: i64,
}

/// The pool of the plan in which a job runs, and its limits there.
///
/// # Errors
/// [`Error::Refused`] with `CREDIT_CEILING` where `terms` allow less than the least hold, or less than such runs usually
/// cost and they must fit.
pub(super) fn place(
    core: &Core,
    plan: &Plan,
    version: Option<WorkflowApiVersionId>,
    needs: &StoredNeeds,
    terms: &RunTerms,
) -> Result<Placement> {
    // A job that no worker can run waits in the first pool of the plan until it ends as ConnectError.
    let found = core.fleet.roster().pool_for(&plan.pools, &needs.needs);
    let found = found.or_else(|| Some((plan.pools.first()?.clone(), 0)));
    let (pool, workers) = found.ok_or_else(|| Error::Internal("the plan of the caller has no pools".into()))?;
    let rate = core.settings.pool(&pool).map_or(0, |pool| pool.credits_per_second);
    let price = Price { rate, percent: terms.class.percent(&core.settings.credits) };
    let least = price.credits(LEAST_MS);
    if let Some(most) = terms.max_credits.filter(|most| *most < least) {
        return Err(Error::Refused {
            code: Code::CreditCeiling,
            message: format!("a run in the pool {pool} needs at least {least} credits, and this one may cost {most}"),
            details: json!({ "needed": least, "maxCredits": most }),
        });
    }
    let longest = i64::try_from(plan.max_run_seconds.saturating_mul(1000)).unwrap_or(i64::MAX);
    let max_run_ms = terms.max_credits.map_or(longest, |most| longest.min(price.longest_ms(most)));
    let kind = kind(version, &needs.hash);
    if let Some(most) = terms.max_credits.filter(|_| terms.must_fit) {
        must_fit(core, price, &kind, most)?;
    }
    let estimate_ms = core.queue.estimates().of(&kind, &pool).mean().min(max_run_ms);
    Ok(Placement { pool, workers, price, max_run_ms, kind, estimate_ms })
}

/// What runs of a kind cost on average; nothing before the first one.
fn usual(core: &Core, price: Price, kind: &str) -> i64 {
    core.queue.estimates().known(kind).map_or(0, |run| price.credits(run.mean()))
}

/// The least that a run which must fit may be allowed to cost: [`place`] refuses less.
pub(super) fn least_to_fit(core: &Core, Placement { price, kind, .. }: &Placement) -> i64 {
    price.credits(LEAST_MS).max(usual(core, *price, kind))
}

/// Refuses a run where earlier ones of its kind cost more on average than it may.
fn must_fit(core: &Core, price: Price, kind: &str, most: i64) -> Result<()> {
    let usual = usual(core, price, kind);
    if usual <= most {
        return Ok(());
    }
    Err(Error::Refused {
        code: Code::CreditCeiling,
        message: format!("such a run usually costs {usual} credits, and this one may cost {most}"),
        details: json!({ "needed": usual, "maxCredits": most }),
    })
}

/// The lower of two ceilings.
pub(super) fn least(one: Option<i64>, other: Option<i64>) -> Option<i64> {
    one.into_iter().chain(other).min()
}

/// The lane of the caller's jobs.
pub(super) fn lane_of(caller: &Caller) -> Lane {
    if matches!(caller.auth_method, AuthMethod::ApiKey(_)) { Lane::Api } else { Lane::Interactive }
}

/// The seconds of run time for which a submit holds credits. A kind that has run before holds what few of its runs
/// exceed, a new kind `jobs.hold_seconds`.
pub(super) fn hold_seconds(core: &Core, kind: &str, estimate_ms: i64) -> i64 {
    let most = i64::try_from(core.settings.jobs.hold_seconds).unwrap_or(60);
    let upper = core.queue.estimates().known(kind).map_or(most, |estimate| estimate.upper_ms() / 1000 + 1);
    upper.min(most).max(estimate_ms / 1000 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TestCore;

    #[actix::test]
    async fn run_that_must_fit_is_refused_where_such_runs_cost_more() {
        let core = TestCore::new().await;
        for _ in 0..200 {
            core.queue.estimates().learn("blur", "cpu", 5000);
        }
        let price = Price { rate: 2, percent: 100 };
        assert!(must_fit(&core, price, "blur", 12).is_ok(), "five seconds cost ten credits");
        let refused = must_fit(&core, price, "blur", 8);
        assert!(
            matches!(&refused, Err(Error::Refused { code: Code::CreditCeiling, details, .. })
                if details["maxCredits"] == 8 && details["needed"].as_i64() > Some(8)),
            "{refused:?}"
        );
        assert!(must_fit(&core, price, "unknown", 1).is_ok(), "its first run tells what it costs");
        let placed = |kind: &str| Placement {
            pool: "cpu".to_owned(),
            workers: 0,
            price,
            max_run_ms: 2000,
            kind: kind.to_owned(),
            estimate_ms: 0,
        };
        let least = least_to_fit(&core, &placed("blur"));
        assert!(must_fit(&core, price, "blur", least).is_ok() && must_fit(&core, price, "blur", least - 1).is_err());
        assert_eq!(least_to_fit(&core, &placed("unknown")), 2, "the price of a second");
    }
}
