//! What a run costs and how long it takes, before it is submitted.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::value::RawValue;

use super::placement::{Placement, lane_of, least, least_to_fit, place};
use super::submission::RunTerms;
use super::validity::{self, Strictness, refused};
use super::{check_form, check_prompt, needs_of_version};
use crate::graph::{Needs, PromptText, SubmittedFiles, content_hash};
use crate::ids::{WorkflowApiId, WorkflowApiVersionId};
use crate::jobs::batches::BatchItem;
use crate::jobs::price_classes::class::PriceClass;
use crate::jobs::queue::position;
use crate::jobs::stored_needs::StoredNeeds;
use crate::mini_apps;
use crate::settings::Plan;
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
    /// The price of the longest run that the plan and the ceilings allow. No run costs more.
    pub most_credits: i64,
    pub most_ms: i64,
    /// The least that a run which must fit may be allowed to cost.
    pub least_credits: i64,
    /// The most that the caller's own ceiling lets it cost.
    pub ceiling: Option<i64>,
    /// The range of its start in seconds from now. `None` while no worker can run it.
    pub eta_seconds: Option<(i64, i64)>,
    pub flex: FlexQuote,
}

impl Quote {
    /// Whether a submit that may cost `most`, and that must fit, is accepted.
    #[must_use]
    pub fn fits(&self, most: i64) -> bool {
        self.least_credits <= least(Some(most), self.ceiling).unwrap_or(most)
    }
}

/// The price of the same run in the class flex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlexQuote {
    /// The part of the pool's price that it costs.
    pub percent: i16,
    pub expected: Option<ExpectedRun>,
    pub most_credits: i64,
    pub most_ms: i64,
}

/// What earlier runs took: on average, and at most but for a few.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpectedRun {
    pub ms: i64,
    pub upper_ms: i64,
    pub credits: i64,
    pub upper_credits: i64,
}

/// The quote of a mini app, in its current version or another one, whatever the values of its form. For guests, that of a
/// new account.
///
/// # Errors
/// [`crate::Error::NotFound`]; [`crate::Error::Refused`] with `CREDIT_CEILING` where the caller's own ceiling allows no run.
pub async fn quote_app(
    core: &Core,
    caller: &Caller,
    app: WorkflowApiId,
    version: Option<WorkflowApiVersionId>,
) -> Result<Quote> {
    let app = mini_apps::compiled_version(core, caller, app, version).await?;
    let plan = match caller.user {
        Some(user) => users::plan(core, user).await?,
        None => users::first_plan(core)?,
    };
    // Where the needs depend on the form, the pool is the first one with a worker.
    let unknown = || Arc::new(StoredNeeds { hash: String::new(), needs: Needs::default() });
    let needs = needs_of_version(core, plan, &app).await?.unwrap_or_else(unknown);
    quoted(core, caller, plan, Some(app.version), &needs, None).await
}

/// The quote of a run as it would be submitted. Nothing is submitted or held.
///
/// # Errors
/// As [`super::submit_form`] and [`super::submit_prompt`], but for credits and places in the queue.
pub async fn quote(core: &Core, caller: &Caller, run: &BatchItem) -> Result<Quote> {
    let user = caller.signed_in()?;
    let plan = users::plan(core, user).await?;
    let (version, needs, asked) = match run {
        BatchItem::Form(submit) => {
            let app = mini_apps::compiled_version(core, caller, submit.app, submit.version).await?;
            let checked = check_form(core, caller, plan, &app, &submit.form).await?;
            (Some(app.version), checked.needs, submit.terms.max_credits)
        }
        BatchItem::Prompt(submit) => {
            let checked = check_prompt(core, caller, plan, submit, None).await?;
            (None, Arc::new(hashed(checked.valid.needs)), submit.terms.max_credits)
        }
    };
    quoted(core, caller, plan, version, &needs, asked).await
}

/// The quote of a graph in the editor. `named` are the texts of the prompt that may name files; such files are taken to be
/// there. Nothing is submitted or held.
///
/// # Errors
/// As [`super::submit_prompt`], but for files, credits and places in the queue.
pub async fn quote_graph(core: &Core, caller: &Caller, prompt: &RawValue, named: BTreeSet<String>) -> Result<Quote> {
    let user = caller.signed_in()?;
    let plan = users::plan(core, user).await?;
    let (_, prompt) = PromptText::read(prompt).map_err(refused)?;
    let given = SubmittedFiles { files: named };
    let valid = validity::validate_for_pools(core, &plan.pools, &prompt, &given, Strictness::ValidOutputs).await?;
    quoted(core, caller, plan, None, &hashed(valid.needs), None).await
}

fn hashed(needs: Needs) -> StoredNeeds {
    StoredNeeds { hash: content_hash(&needs.to_value()), needs }
}

/// The quote of a run that may cost at most `asked`, and the caller's own ceiling.
async fn quoted(
    core: &Core,
    caller: &Caller,
    plan: &Plan,
    version: Option<WorkflowApiVersionId>,
    needs: &StoredNeeds,
    asked: Option<i64>,
) -> Result<Quote> {
    let ceiling = match caller.user {
        Some(user) => users::find(core, user).await?.ceilings.run,
        None => None,
    };
    let max_credits = least(asked, ceiling);
    let placed = |class| place(core, plan, version, needs, &RunTerms { max_credits, class, ..RunTerms::default() });
    let (standard, flex) = (placed(PriceClass::Standard)?, placed(PriceClass::Flex)?);
    let flex = FlexQuote {
        percent: flex.price.percent,
        expected: expected_run(core, &flex),
        most_credits: flex.price.credits(flex.max_run_ms),
        most_ms: flex.max_run_ms,
    };
    let lane = lane_of(caller);
    let eta_seconds = position::start_of_new(core, caller.user, &standard.pool, lane, &needs.needs).await?;
    Ok(Quote {
        credits_per_second: standard.price.rate,
        workers: standard.workers,
        expected: expected_run(core, &standard),
        most_credits: standard.price.credits(standard.max_run_ms),
        most_ms: standard.max_run_ms,
        least_credits: least_to_fit(core, &standard),
        ceiling,
        pool: standard.pool,
        eta_seconds,
        flex,
    })
}

/// The run and its price by earlier ones.
fn expected_run(core: &Core, Placement { price, max_run_ms, kind, .. }: &Placement) -> Option<ExpectedRun> {
    let run = core.queue.estimates().known(kind)?;
    let [ms, upper_ms] = [run.mean(), run.upper_ms()].map(|ms| ms.min(*max_run_ms));
    Some(ExpectedRun { ms, upper_ms, credits: price.credits(ms), upper_credits: price.credits(upper_ms) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_fits_what_it_may_cost_and_the_own_ceiling() {
        let flex = FlexQuote { percent: 60, expected: None, most_credits: 60, most_ms: 50_000 };
        let quote = |ceiling| Quote {
            pool: "cpu".to_owned(),
            credits_per_second: 2,
            workers: 1,
            expected: None,
            most_credits: 100,
            most_ms: 50_000,
            least_credits: 10,
            ceiling,
            eta_seconds: None,
            flex,
        };
        assert_eq!([9, 10, 11].map(|most| quote(None).fits(most)), [false, true, true]);
        assert!(quote(Some(10)).fits(20) && !quote(Some(9)).fits(20), "the lower limit counts");
    }
}
