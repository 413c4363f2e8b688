//! `batch`: uploads a file of items at once, compares it with single submits, and cuts it at random bytes.

mod upload;

use std::collections::HashMap;
use std::process::ExitCode;
use std::time::Instant;

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use self::upload::{UploadResult, Uploader};
use super::Common;
use super::site::{People, Site};
use crate::app::Recipe;
use crate::error::{Error, Result};
use crate::floors::settle;
use crate::report::{Bar, Panel, Report, Table, median, short};

const ITEMS: usize = 20_000;
const QUICK_ITEMS: usize = 400;
/// How often the file is cut before it is sent completely.
const CUTS: usize = 50;
/// Repetitions of both rates; the median counts.
const RUNS: usize = 3;
const WORKERS: usize = 4;
const CONNECTIONS: usize = 128;

pub async fn run(common: &Common) -> Result<ExitCode> {
    common.must_be_own("the rows of its jobs are counted")?;
    let items = if common.quick { QUICK_ITEMS } else { ITEMS };
    let seed = common.seed.unwrap_or_else(|| rand::rng().random());
    println!("seed {seed}");
    let people = People { keys: 1, sessions: 0 };
    let site = Site::start(&common.shape(WORKERS)?, people, &Recipe::text_to_image()).await?;
    let owner = site.keys.first().ok_or_else(|| Error::Other("no API key to send a batch with".to_owned()))?;
    let uploader = Uploader::new(site.address, owner)?;

    let connections = common.connections.unwrap_or(CONNECTIONS);
    let length = common.length(if common.quick { 1 } else { 8 });
    let (mut single, mut batch) = (Vec::new(), Vec::new());
    for run in 1..=RUNS {
        settle(site.own()?).await?;
        single.push(site.load(&site.plan(connections, length), 1).await?.0.rate());
        settle(site.own()?).await?;
        let file = file(&site, &format!("run-{run}"), items);
        let begin = Instant::now();
        let result = uploader.send(&format!("run-{run}"), &file, None).await?;
        batch.push(rate(items, begin));
        check_complete(&result, items, 0)?;
        site.accepted.set(site.accepted.get() + items as u64);
        println!("batch, run {run} of {RUNS}: {} items a second", short(batch.last().copied().unwrap_or(0.0)));
    }

    let mut report = Report::new(
        "batch",
        format!(
            "A file of {items} items (a mini app's form and an idempotency key each) as one upload, and single submits of the \
             same account on {connections} keep-alive connections for {} s (without keys), in turn, {RUNS} times, beside \
             {WORKERS} scripted workers that answer at once. Then a file cut at {CUTS} random bytes before it is sent as a \
             whole; seed {seed}.",
            length.as_secs()
        ),
    );
    let mut table = Table::new(&["what", "accepted/s", "runs"]);
    for (name, rates) in [("batch", &batch), ("single submits", &single)] {
        let each: Vec<String> = rates.iter().map(|rate| short(*rate)).collect();
        table.row([name.to_owned(), short(median(rates)), each.join(", ")]);
    }
    report.tables.push(table);
    let ratio = median(&batch) / median(&single).max(0.001);
    // A few items are not enough to measure speed.
    if !common.quick {
        report.bars.push(Bar::at_least("against single submits", ratio, 1.0, "×"));
    }
    report.panels.push(Panel::Bars {
        title: "accepted a second".to_owned(),
        unit: "/s".to_owned(),
        bars: vec![("batch".to_owned(), median(&batch)), ("single submits".to_owned(), median(&single))],
    });
    cut(&site, &uploader, items, StdRng::seed_from_u64(seed), &mut report).await?;
    site.finish(&mut report).await?;
    report.finish(common.output())
}

/// Sends a file cut at random bytes, and then completely.
async fn cut(site: &Site, uploader: &Uploader, items: usize, mut random: StdRng, report: &mut Report) -> Result<()> {
    let file = file(site, "cut", items);
    let before = jobs(site).await?;
    let mut ids: HashMap<String, String> = HashMap::new();
    let (mut others, mut complete) = (0, 0);
    let mut note = |result: &UploadResult| {
        for (key, id) in &result.ids {
            let first = ids.entry(key.clone()).or_insert_with(|| id.clone());
            others += u64::from(first != id);
        }
    };
    for _ in 0..CUTS {
        let result = uploader.send("cut", &file, Some(random.random_range(0..file.len()))).await?;
        complete += u64::from(result.last.is_some());
        note(&result);
    }
    let made = jobs(site).await? - before;
    let result = uploader.send("cut", &file, None).await?;
    note(&result);
    check_complete(&result, items, made)?;
    let after = jobs(site).await? - before;
    site.accepted.set(site.accepted.get() + items as u64);
    report.bars.push(Bar::equal("cut uploads that were called complete", complete, 0));
    report.bars.push(Bar::equal("items that got another job when they were sent again", others, 0));
    report.bars.push(Bar::equal("items with a job", ids.len() as u64, items as u64));
    report.bars.push(Bar::equal(format!("jobs after {CUTS} cuts and the whole file"), after, items as u64));
    report.notes.push(format!("{made} of the {items} jobs were there before the file was sent as a whole"));
    Ok(())
}

fn file(site: &Site, name: &str, items: usize) -> String {
    (0..items).map(|number| site.app.item(&format!("{name}-{number}"), site.seeds.next())).collect()
}

/// The number of jobs in the table. A commit that was in progress when an upload was cut may be missing; the next
/// upload waits for it.
async fn jobs(site: &Site) -> Result<u64> {
    let count = site.own()?.database.count("SELECT count(*) FROM all_jobs").await?;
    Ok(u64::try_from(count).unwrap_or(0))
}

/// Checks that an upload was accepted completely, with at least `replayed` items from before.
fn check_complete(result: &UploadResult, items: usize, replayed: u64) -> Result<()> {
    match &result.last {
        Some(last) if last.accepted == items as u64 && last.refused == 0 && last.replayed >= replayed => Ok(()),
        other => Err(Error::Other(format!("an upload of {items} items ended with {other:?}"))),
    }
}

#[expect(clippy::cast_precision_loss, reason = "a number of items")]
fn rate(items: usize, begin: Instant) -> f64 {
    items as f64 / begin.elapsed().as_secs_f64().max(0.001)
}
