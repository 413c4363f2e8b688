//! What a run costs and how long it takes, before it is submitted.

use std::sync::Arc;

use super::{Placement, lane_of, needs_of_version, place};
use crate::graph::Needs;
use crate::ids::WorkflowApiId;
use crate::jobs::price::credits_for;
use crate::jobs::queue::position;
use crate::jobs::stored_needs::StoredNeeds;
use crate::mini_apps;
use crate::users;
use crate::{Caller, Core, Result};

/// The price and the time of a run in the pool where it would run now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quote {
    pub pool: String,
    pub credits_per_second: i64,
    /// The connected workers that can run it.
    pub workers: usize,
    /// By earlier runs; `None` before the first one.
    pub expected: Option<ExpectedRun>,
    /// The price of the longest run that the plan allows.
    pub most_credits: i64,
    pub most_ms: i64,
    /// The range of its start in seconds from now. `None` while no worker can run it.
    pub eta_seconds: Option<(i64, i64)>,
}

/// What earlier runs took: on average, and at most but for a few.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpectedRun {
    pub ms: i64,
    pub upper_ms: i64,
    pub credits: i64,
    pub upper_credits: i64,
}

/// The quote of a mini app, whatever the values of its form. For guests, that of a new account.
///
/// # Errors
/// [`crate::Error::NotFound`].
pub async fn quote_app(core: &Core, caller: &Caller, app: WorkflowApiId) -> Result<Quote> {
    let app = mini_apps::compiled(core, caller, app).await?;
    let plan = match caller.user {
        Some(user) => users::plan(core, user).await?,
        None => users::first_plan(core)?,
    };
    // Where the needs depend on the form, the pool is the first one with a worker.
    let unknown = || Arc::new(StoredNeeds { hash: String::new(), needs: Needs::default() });
    let needs = needs_of_version(core, plan, &app).await?.unwrap_or_else(unknown);
    let Placement { pool, workers, rate, max_run_ms, kind, .. } = place(core, plan, Some(app.version), &needs)?;
    let expected = core.queue.estimates().known(&kind).map(|run| {
        let [ms, upper_ms] = [run.mean(), run.upper_ms()].map(|ms| ms.min(max_run_ms));
        ExpectedRun { ms, upper_ms, credits: credits_for(ms, rate), upper_credits: credits_for(upper_ms, rate) }
    });
    let eta_seconds = position::start_of_new(core, caller.user, &pool, lane_of(caller), &needs.needs).await?;
    Ok(Quote {
        pool,
        credits_per_second: rate,
        workers,
        expected,
        most_credits: credits_for(max_run_ms, rate),
        most_ms: max_run_ms,
        eta_seconds,
    })
}
