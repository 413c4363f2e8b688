//! What subscribers cost those who submit: accepted jobs per second without any webhook, with one whose events are
//! written and queued while its address is paused, and with one that gets every event.

use std::time::Duration;

use super::receiver::{Receiver, RefusalPolicy};
use super::subscribe;
use crate::accounts::Proof;
use crate::app::Recipe;
use crate::error::{Error, Result};
use crate::floors::{Measured, settle};
use crate::report::{Bar, Report};
use crate::scenarios::site::{People, Site};
use crate::scenarios::{Common, floor};

/// Repetitions of each variant, in turn; the median counts.
const RUNS: usize = 3;
const LENGTH: Duration = Duration::from_secs(8);
const CONNECTIONS: usize = 128;
/// The share of the submit rate that must be left beside subscribers.
const LEFT: f64 = 0.9;

/// The subscriber of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subscriber {
    None,
    /// Its events are written, numbered and queued.
    Paused,
    /// Its events are also delivered.
    Live,
}

/// Runs this part and adds its results to the report.
pub async fn run(common: &Common, report: &mut Report) -> Result<()> {
    let shape = super::allowing_loopback(common.shape(4)?);
    let site = Site::start(&shape, People { keys: 1, sessions: 0 }, &Recipe::text_to_image()).await?;
    let [owner] = site.keys.as_slice() else { return Err(Error::Other("an account is needed".to_owned())) };
    let variants = [Subscriber::None, Subscriber::Paused, Subscriber::Live];
    let mut measured = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..RUNS {
        for (variant, runs) in variants.into_iter().zip(&mut measured) {
            runs.push(measure(&site, owner, variant).await?);
        }
    }
    let mut table = floor::columns();
    let names = ["submits without a webhook", "with a paused one", "with one that gets every event"];
    for (name, runs) in names.into_iter().zip(&measured) {
        floor::row(&mut table, name, runs);
    }
    report.tables.push(table);
    let [none, paused, live] = measured.each_ref().map(|runs| floor::rate(runs));
    let bars = [(paused, "whose events are queued"), (live, "that gets every event")].map(|(rate, which)| {
        let what = format!("submit rate with a webhook {which}");
        Bar::at_least(what, rate / none.max(0.001), LEFT, " of that without")
    });
    report.judge_speed(common.measures_speed(), bars);
    let errors = measured.iter().flatten().map(|run| run.outcome.errors()).sum();
    report.bars.push(Bar::equal("submits that were not accepted", errors, 0));
    site.finish(report).await?;
    Ok(())
}

async fn measure(site: &Site, owner: &Proof, variant: Subscriber) -> Result<Measured> {
    let platform = site.own()?;
    let receiver = Receiver::start(RefusalPolicy::NONE)?;
    if variant != Subscriber::None {
        let http = reqwest::Client::builder().no_proxy().build()?;
        let (Proof::Key(key) | Proof::Session(key)) = owner;
        let url = format!("http://{}/api/general/webhook-config", site.address);
        subscribe(http.post(url).header("api-key", key), &receiver).await?;
    }
    if variant == Subscriber::Paused {
        execute(site, "UPDATE webhook_configs SET paused_until = now() + interval '1 hour'").await?;
    }
    settle(platform).await?;
    let (outcome, server, database) = site.load(&site.plan(CONNECTIONS, LENGTH), 1).await?;
    // The next run starts without this one's deliveries.
    execute(site, "DELETE FROM webhook_configs").await?;
    Ok(Measured::new(outcome, &server, &database))
}

async fn execute(site: &Site, sql: &'static str) -> Result<()> {
    sqlx::query(sql).execute(&site.own()?.database.pool).await?;
    Ok(())
}
