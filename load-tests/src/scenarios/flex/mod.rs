//! `flex`: browser users beside a queue full of flex jobs, who must not notice them, and flex jobs with deadlines.

mod deadlines;

use std::process::ExitCode;
use std::time::Duration;

use rand::RngExt as _;

use self::deadlines::{DeadlineLoad, Deadlines};
use super::Common;
use super::mixed::{self, BACKLOG, RUNS_MS, USERS, Visit, WORKERS, Wait, quantile};
use super::site::{People, Site};
use crate::accounts::Proof;
use crate::app::{App, Recipe};
use crate::error::{Error, Result};
use crate::report::{Bar, Report, Table, short};

/// Accounts that submit jobs with deadlines through keys. As many sessions do the same.
const DEADLINE_KEYS: usize = 10;
/// More than the pause between two rounds of promotions.
const MARGIN: Duration = Duration::from_secs(5);
/// By how much the waits of users may change, in percent.
const MOST_CHANGE: f64 = 10.0;
/// Jobs of the class flex that have started.
const STARTED: &str = "SELECT count(*) FROM all_jobs WHERE lane = 3 AND started_at IS NOT NULL";

pub async fn run(common: &Common) -> Result<ExitCode> {
    common.must_be_own("people with sessions and the workers' own clocks are needed")?;
    let mut shape = common.shape(WORKERS)?.with("queue.deadline_margin_seconds", MARGIN.as_secs());
    for worker in &mut shape.workers {
        (worker.journal, worker.delay) = (true, Duration::from_millis(RUNS_MS));
    }
    let (backlog, length) = if common.quick { (BACKLOG / 50, common.length(8)) } else { (BACKLOG, common.length(60)) };
    let seed = common.seed.unwrap_or_else(|| rand::rng().random());
    println!("seed {seed}");
    let people = People { keys: 2 + DEADLINE_KEYS, sessions: USERS };
    let site = Site::start(&shape, people, &Recipe::text_to_image()).await?;
    let [api, flex, with_deadlines @ ..] = site.keys.as_slice() else {
        return Err(Error::Other("the accounts were not made".to_owned()));
    };
    let connections = common.connections.unwrap_or(64);
    fill(&site, &site.app, api, (backlog, connections)).await?;
    println!("{backlog} API jobs wait; {USERS} people come");
    let without = mixed::visit(&site, seed, length).await?;
    fill(&site, &site.app.with_terms("priceClass=flex"), flex, (backlog, connections)).await?;
    println!("{backlog} flex jobs wait, too; the same people come again");
    let beside = mixed::visit(&site, seed, length).await?;
    let started = u64::try_from(site.own()?.database.count(STARTED).await?).unwrap_or(0);

    let accounts: Vec<&Proof> = with_deadlines.iter().chain(site.sessions.iter().take(DEADLINE_KEYS)).collect();
    let load = if common.quick { DeadlineLoad::quick() } else { DeadlineLoad::whole() };
    println!("{} deadlines within {:?}", load.count, load.last());
    let deadlines = deadlines::run(&site, &accounts, load).await?;

    let mut report = Report::new(
        "flex",
        format!(
            "{backlog} API jobs of one account wait for {WORKERS} scripted workers ({RUNS_MS} ms a job), and {USERS} people \
             submit as in `mixed`, first without and then with {backlog} waiting flex jobs. Then {} flex jobs get deadlines, \
             the last one after {} s; their work needs a quarter of the workers.",
            load.count,
            load.last().as_secs()
        ),
    );
    judge_visits(&mut report, &without, &beside, common.measures_speed());
    report.bars.push(Bar::equal("flex jobs that started while other lanes waited", started, 0));
    judge_deadlines(&mut report, &deadlines, load);
    report.notes.push(format!("seed {seed}"));
    site.finish(&mut report).await?;
    report.finish(common.output())
}

/// Submits jobs of one account until at least `count` are accepted.
async fn fill(site: &Site, app: &App, account: &Proof, (count, connections): (u64, usize)) -> Result<()> {
    let before = site.accepted.get();
    while site.accepted.get() - before < count {
        let plan = site.plan(connections, Duration::from_secs(1));
        site.load_with(&plan, app, std::slice::from_ref(account)).await?;
    }
    Ok(())
}

/// Compares the waits. What running jobs impose on a wait differs from run to run, and is not counted.
fn judge_visits(report: &mut Report, without: &Visit, beside: &Visit, measures_speed: bool) {
    let waited = |wait: &Wait| wait.waited_ms;
    let beyond = |wait: &Wait| wait.waited_ms - wait.first_free_ms;
    let mut table =
        Table::new(&["people's jobs", "count", "wait p50 ms", "p95 ms", "beyond a free worker p50 ms", "p95 ms"]);
    for (what, visit) in [("without flex jobs", without), ("with flex jobs", beside)] {
        let at = |of: &dyn Fn(&Wait) -> f64, share| short(quantile(&visit.waits, of, share));
        let count = visit.waits.len().to_string();
        table.row([what.to_owned(), count, at(&waited, 0.5), at(&waited, 0.95), at(&beyond, 0.5), at(&beyond, 0.95)]);
    }
    report.tables.push(table);
    let change = |share| {
        let more = quantile(&beside.waits, &beyond, share) - quantile(&without.waits, &beyond, share);
        100.0 * more / quantile(&without.waits, &waited, share).max(1.0)
    };
    let bars = [("median", 0.5), ("95th percentile", 0.95)].map(|(name, share)| {
        Bar::below(format!("change of the wait by flex jobs, {name}"), change(share), MOST_CHANGE, " %")
    });
    report.judge_speed(measures_speed, bars);
    mixed::judge(report, &beside.waits, measures_speed);
    let lost = mixed::lost(&without.jobs, &without.waits) + mixed::lost(&beside.jobs, &beside.waits);
    report.bars.push(Bar::equal("people's jobs that were not done, or that no worker wrote down", lost, 0));
    report.notes.push(format!("{} and {} jobs ran on the workers beside the people", without.served, beside.served));
}

fn judge_deadlines(report: &mut Report, deadlines: &Deadlines, load: DeadlineLoad) {
    let Deadlines { refused, met, promoted, latest_ms } = deadlines;
    report.bars.push(Bar::equal("possible deadlines that were refused", *refused, 0));
    #[expect(clippy::cast_precision_loss, reason = "counts of a drill")]
    let met = *met as f64;
    let least = f64::from(load.count.saturating_sub(1));
    report.bars.push(Bar::at_least(format!("deadlines met, of {}", load.count), met, least, ""));
    report.notes.push(format!(
        "{promoted} jobs with deadlines were promoted; the job that ended last by its deadline did so {latest_ms} ms before it"
    ));
}
