//! `dispatch`: the time from an accepted job to a worker and to its end, on an idle and on a loaded system.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use futures_util::future::try_join_all;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use super::Common;
use super::follow::{Client, Followed, by_seed, journals};
use super::site::{People, Site};
use crate::app::Recipe;
use crate::error::Result;
use crate::load::{Histogram, Loop};
use crate::report::{Bar, Panel, Report, Series, Table, short};

const WORKERS: usize = 4;
/// Clients that together keep all workers busy.
const FULL: usize = 16;
/// Load as a share of the peak rate.
const LOADED: f64 = 0.5;

/// Latencies of one phase.
#[derive(Default)]
struct Phase {
    submit: Histogram,
    /// From the submit's answer until the worker has the prompt.
    to_worker: Histogram,
    /// From the submit's answer until the client knows that the job is done.
    to_done: Histogram,
    seconds: f64,
    /// Jobs that did not succeed, or that are in no journal.
    lost: u64,
}

pub async fn run(common: &Common) -> Result<ExitCode> {
    let recipe = Recipe::text_to_image();
    let site = match Site::given(common, &recipe).await? {
        Some(site) => site,
        None => {
            let mut shape = common.shape(WORKERS)?;
            shape.workers.iter_mut().for_each(|worker| worker.journal = true);
            Site::start(&shape, People { keys: 40, sessions: 0 }, &recipe).await?
        }
    };
    let length = common.length(20);
    let seed = common.seed.unwrap_or_else(|| rand::rng().random());
    println!("seed {seed}");
    let mut random = StdRng::seed_from_u64(seed);

    // Warm-up: connections, caches and plans.
    clients(&site, FULL, Duration::from_secs(2)).await?;
    println!("idle: one job at a time");
    let idle = probe(&site, length, &mut random).await?;
    println!("full: {FULL} clients that wait for each job");
    let full = clients(&site, FULL, length / 2).await?;
    #[expect(clippy::cast_precision_loss, reason = "counts of a load run")]
    let most = full.to_done.count() as f64 / full.seconds.max(0.001);
    let rate = most * LOADED;
    println!("loaded: {} of {} jobs a second", short(rate), short(most));
    let plan = Loop { connections: 8, warm_up: Duration::from_secs(1), pace: Some(rate), ..site.plan(8, length) };
    let (background, loaded) = tokio::join!(site.load(&plan, 30), probe(&site, length, &mut random));
    let (background, loaded) = (background?.0, loaded?);

    let mut report = Report::new(
        "dispatch",
        format!(
            "From the answer to a submit until one of {WORKERS} scripted workers (which answer at once) has the prompt, and \
         until the client hears by its events that the job is done. Idle: one job after the other, with pauses. Full: \
         {FULL} clients that each wait for their job. Loaded: one job after the other beside {} jobs a second, half of \
         the most.",
            short(rate)
        ),
    );
    let phases = [("idle", &idle), ("full", &full), ("loaded", &loaded)];
    report.tables.push(table(&phases));
    // Journals are only available for the scenario's own workers.
    if site.platform.is_some() {
        let to_worker = |share| idle.to_worker.quantile_ms(share);
        report.bars.push(Bar::below("idle, p50 until the worker has it", to_worker(0.5), 10.0, " ms"));
        report.bars.push(Bar::below("idle, p99 until the worker has it", to_worker(0.99), 50.0, " ms"));
    }
    let lost = phases.iter().map(|(_, phase)| phase.lost).sum::<u64>() + background.errors();
    report.bars.push(Bar::equal("jobs that were refused, lost or not done", lost, 0));
    report.notes.push(format!("at most {} jobs a second went through {WORKERS} workers; seed {seed}", short(most)));
    let curves = |of: fn(&Phase) -> &Histogram| {
        phases.iter().map(|(name, phase)| Series { name: (*name).to_owned(), points: of(phase).curve() }).collect()
    };
    for (title, series) in [
        ("submit answered → worker has the prompt", curves(|phase| &phase.to_worker)),
        ("submit answered → client knows it is done", curves(|phase| &phase.to_done)),
    ] {
        let (title, x, y) = (title.to_owned(), "percentile".to_owned(), "ms".to_owned());
        report.panels.push(Panel::Lines { title, x, y, series });
    }
    site.finish(&mut report).await?;
    report.finish(common.output())
}

/// Runs one job after the other, with pauses.
async fn probe(site: &Site, length: Duration, random: &mut StdRng) -> Result<Phase> {
    let proof = site.keys.last().cloned();
    let Some(proof) = proof else { return Ok(Phase::default()) };
    let mut client = Client::new(site, &proof).await?;
    let begin = Instant::now();
    let pause = || Duration::from_millis(random.random_range(2..40));
    let jobs = client.run_until(site, begin + length, pause).await?;
    measured(site, jobs, begin).await
}

/// This many clients, each submitting its next job when the last one is done.
async fn clients(site: &Site, count: usize, length: Duration) -> Result<Phase> {
    let begin = Instant::now();
    let running = site.keys.iter().cycle().take(count).map(|proof| async move {
        let mut client = Client::new(site, proof).await?;
        client.run_until(site, begin + length, || Duration::ZERO).await
    });
    let jobs = try_join_all(running).await?.into_iter().flatten().collect();
    measured(site, jobs, begin).await
}

async fn measured(site: &Site, jobs: Vec<Followed>, begin: Instant) -> Result<Phase> {
    let mut phase = Phase { seconds: begin.elapsed().as_secs_f64(), ..Phase::default() };
    let entries = match &site.platform {
        Some(platform) => Some(by_seed(&journals(&platform.workers).await?)),
        None => None,
    };
    for job in jobs {
        let entry = entries.as_ref().map(|entries| entries.get(&job.seed));
        if job.status != "Done" || matches!(entry, Some(None)) {
            phase.lost += 1;
            continue;
        }
        phase.submit.record(job.submit);
        phase.to_done.record(between(job.answered_us, job.ended_us));
        if let Some(Some(entry)) = entry {
            phase.to_worker.record(between(job.answered_us, entry.came_us));
        }
    }
    Ok(phase)
}

/// The worker may have the prompt before the client has read the answer; that counts as zero.
fn between(from_us: i64, to_us: i64) -> Duration {
    Duration::from_micros(u64::try_from(to_us - from_us).unwrap_or(0))
}

fn table(phases: &[(&str, &Phase)]) -> Table {
    let mut table = Table::new(&["system", "what", "jobs", "p50 ms", "p95 ms", "p99 ms", "max ms"]);
    for (name, phase) in phases {
        for (what, latencies) in
            [("submit", &phase.submit), ("to the worker", &phase.to_worker), ("until done", &phase.to_done)]
        {
            let at = |share| short(latencies.quantile_ms(share));
            let count = latencies.count().to_string();
            table.row([
                (*name).to_owned(),
                what.to_owned(),
                count,
                at(0.5),
                at(0.95),
                at(0.99),
                short(latencies.max_ms()),
            ]);
        }
    }
    table
}
