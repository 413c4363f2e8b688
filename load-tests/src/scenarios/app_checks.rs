//! `app-checks`: how long it takes until all mini apps are checked against a changed fleet, and what submits feel of it.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use sqlx::PgPool;

use super::Common;
use super::site::{People, Site};
use crate::app::Recipe;
use crate::error::{Error, Result};
use crate::floors::settle;
use crate::report::{Bar, Report, Table, median, short};

const APPS: usize = 500;
const QUICK_APPS: usize = 40;
/// Repetitions; the median counts.
const RUNS: usize = 5;
const KEYS: usize = 50;
const CONNECTIONS: usize = 32;
/// Submits per second: far below the peak, where p99 shows what else the server does.
const PACE: f64 = 200.0;
/// The checks of one change must end within this time.
const LIMIT_SECONDS: f64 = 5.0;
/// The p99 of submits beside the checks, in parts of that without.
const P99_LIMIT: f64 = 1.1;
/// Two changes of the fleet that are closer together are one.
const SETTLING: Duration = Duration::from_secs(11);

/// Publishes many apps, changes what the workers offer while submits go on, and waits for the results.
pub async fn run(common: &Common) -> Result<ExitCode> {
    common.must_be_own("its workers are paused")?;
    let apps = if common.quick { QUICK_APPS } else { APPS };
    let recipe = Recipe::text_to_image();
    let site = Site::start(&common.shape(2)?, People { keys: KEYS, sessions: 0 }, &recipe).await?;
    for number in 1..apps {
        let owner = site.keys.get(number % site.keys.len()).ok_or_else(|| Error::Other("no keys".to_owned()))?;
        recipe.publish(site.address, owner).await?;
    }
    let db = &site.own()?.database.pool;
    let length = common.length(if common.quick { 2 } else { 10 });
    let plan = crate::load::Loop { pace: Some(PACE), ..site.plan(common.connections.unwrap_or(CONNECTIONS), length) };
    let (mut quiet, mut beside, mut seconds) = (Vec::new(), Vec::new(), Vec::new());
    let mut all_known = true;
    for run in 1..=RUNS {
        tokio::time::sleep(SETTLING).await;
        settle(site.own()?).await?;
        quiet.push(site.load(&plan, site.keys.len()).await?.0.latencies.quantile_ms(0.99));
        tokio::time::sleep(SETTLING.saturating_sub(length)).await;
        settle(site.own()?).await?;
        let change = async {
            tokio::time::sleep(plan.warm_up).await;
            changed_fleet(db, apps).await
        };
        let (outcome, took) = tokio::join!(site.load(&plan, site.keys.len()), change);
        beside.push(outcome?.0.latencies.quantile_ms(0.99));
        let took = took?;
        all_known &= took.is_some();
        seconds.push(took.unwrap_or(Duration::from_secs(60)).as_secs_f64());
        println!("run {run} of {RUNS}: {} s", short(seconds.last().copied().unwrap_or_default()));
    }

    let mut report = Report::new(
        "app-checks",
        format!(
            "{apps} mini apps are checked again after one of two workers was paused, and every result is new, while {} \
             connections submit {} jobs a second; medians of {RUNS} runs of {} s, in turn with runs without a change.",
            plan.connections,
            short(PACE),
            length.as_secs()
        ),
    );
    let mut table = Table::new(&["what", "median", "runs"]);
    let each = |values: &[f64]| values.iter().map(|value| short(*value)).collect::<Vec<_>>().join(", ");
    for (name, values) in [
        ("all apps checked, s", &seconds),
        ("p99 of submits, ms", &quiet),
        ("p99 of submits beside the checks, ms", &beside),
    ] {
        table.row([name.to_owned(), short(median(values)), each(values)]);
    }
    report.tables.push(table);
    report.bars.push(Bar::holds("each app has its result", format!("{apps} apps"), all_known));
    let ratio = median(&beside) / median(&quiet).max(0.001);
    let bars = [
        Bar::below(format!("{apps} apps are checked"), median(&seconds), LIMIT_SECONDS, " s"),
        Bar::below("p99 of submits beside the checks", ratio, P99_LIMIT, " of that without"),
    ];
    report.judge_speed(common.measures_speed(), bars);
    site.finish(&mut report).await?;
    report.finish(common.output())
}

/// Forgets all results and changes what the workers offer. Returns how long it took until all apps have a result
/// again; `None` if that does not happen within a minute.
async fn changed_fleet(db: &PgPool, apps: usize) -> Result<Option<Duration>> {
    sqlx::query("UPDATE workflows SET app_works = NULL WHERE workflow_api_id IS NOT NULL").execute(db).await?;
    let before: i64 = sqlx::query_scalar("SELECT number FROM workflow_api_fleet").fetch_one(db).await?;
    let began = Instant::now();
    sqlx::query("UPDATE workers SET paused = NOT paused WHERE name = 'worker-1'").execute(db).await?;
    let wanted = i64::try_from(apps).unwrap_or(i64::MAX);
    while began.elapsed() < Duration::from_secs(60) {
        let known: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM workflow_apis a JOIN workflows w ON w.id = a.workflow_id
             WHERE a.works_fleet > $1 AND w.app_works",
        )
        .bind(before)
        .fetch_one(db)
        .await?;
        if known >= wanted {
            return Ok(Some(began.elapsed()));
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(None)
}
