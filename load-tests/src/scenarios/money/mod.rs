//! `money`: purchases, renewals, refunds and coupons against stand-ins of the payment providers that lose answers and
//! repeat notices, while the server is killed. Money and credits must agree to the last row, and no secret may be left
//! anywhere.

mod buyers;
mod checks;
mod clock;
mod plan;
mod search;
mod shop;

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use rand::RngExt as _;

use self::plan::{FULL, Kill, Plan, QUICK, Size};
use self::search::Secrets;
use self::shop::Shop;
use super::Common;
use super::drill::checks::{count, none};
use crate::accounts::AccountFactory;
use crate::error::{Error, Result};
use crate::payments::{FaultPolicy, StandIns};
use crate::platform::{Platform, Shape};
use crate::report::{Bar, Report, Table};

/// What goes wrong at both providers.
const FAULTS: FaultPolicy = FaultPolicy { lost: 0.2, unavailable: 0.03, declined: 0.04 };
/// The share of answers that must have been lost in a whole run, and in a quick one, whose calls are few.
const LOST: f64 = 0.18;
const QUICK_LOST: f64 = 0.1;
/// Purchases, renewals, refunds and uses of coupons of a whole run.
const OPERATIONS: f64 = 2000.0;
/// The share of all months that must have been renewed: charges that are declined end some subscriptions early.
const RENEWED: f64 = 0.6;
const POLL_EVERY: Duration = Duration::from_millis(10);
/// Interval between the ends of months and rounds of upkeep.
const UPKEEP_EVERY: Duration = Duration::from_millis(700);
/// Gives up after this long without an ended purchase.
const STUCK_AFTER: Duration = Duration::from_mins(4);
/// Two plans; the second one is sold.
const PLANS: &str = r#"
[[plan]]
name = "Free"
monthly_credits = 100
weight = 1
pools = ["standard"]
max_run_seconds = 600
max_queued_jobs = 100
private = false

[[plan]]
name = "Member"
monthly_credits = 5000
weight = 2
pools = ["standard"]
max_run_seconds = 600
max_queued_jobs = 100
private = true
"#;

pub async fn run(common: &Common) -> Result<ExitCode> {
    common.must_be_own("its server is killed and its providers are stand-ins")?;
    let seed = common.seed.unwrap_or_else(|| rand::rng().random::<u32>().into());
    println!("seed {seed}: repeat this drill's choices with --seed {seed}");
    let size = if common.quick { QUICK } else { FULL };
    let plan = Plan::draw(seed, &size);
    let providers = StandIns::start(FAULTS, seed).await?;
    let mut platform = Platform::start(&shape(common, &providers)?).await?;
    let drilled = drill(&mut platform, providers, &plan, &size, seed).await;
    let log = platform.server.log().to_owned();
    let (text, leaked) = (std::fs::read(&log), Secrets::of(&plan).in_file(&log));
    let stopped = platform.stop().await;
    let mut report = drilled?;
    let (text, leaked) = (String::from_utf8_lossy(&text?).into_owned(), leaked?);
    report.bars.push(Bar::holds(
        "the server's log tells of payments",
        format!("{} bytes", text.len()),
        text.contains("gave no answer about a payment") || text.contains("a payment provider gave no result"),
    ));
    report.bars.push(none("secrets in the server's log", leaked.len()));
    report.notes.extend(leaked.into_iter().take(5));
    report.bars.push(none("panics in the server's log", text.matches("panicked at").count()));
    let said = stopped.as_ref().err().map_or_else(|| "it did".to_owned(), ToString::to_string);
    report.bars.push(Bar::holds("the server stops in order", said, stopped.is_ok()));
    report.finish(common.output())
}

/// One worker, without which the server is not ready, and a log that has more than an operator's.
fn shape(common: &Common, providers: &StandIns) -> Result<Shape> {
    let mut shape = common.shape(1)?;
    shape.plans = Some(PLANS.to_owned());
    for (key, value) in providers.settings() {
        shape = shape.with(key, value);
    }
    Ok(shape.with("server.trust_forwarded", true).with("log.filter", "debug,sqlx=warn"))
}

/// Runs the drill and the checks that need a running platform.
async fn drill(platform: &mut Platform, providers: StandIns, plan: &Plan, size: &Size, seed: u64) -> Result<Report> {
    let began = Instant::now();
    providers.notices.aim(&platform.server.url());
    let maker = AccountFactory::new(&platform.database.url, platform.folder())?;
    let keys = maker.keys(size.buyers + 1).await?;
    maker.close().await;
    // The first account is the admin; the server has not seen it yet.
    sqlx::query("UPDATE users SET is_admin = true WHERE name = 'load-0'").execute(&platform.database.pool).await?;
    let shop = Arc::new(Shop::open(platform.server.url(), providers, keys, size.codes).await?);

    let mut killer = ServerKiller::new(&plan.kills);
    run_buyers(platform, &shop, plan, size, &mut killer).await?;
    platform.server.ready().await?;
    let left = settle(platform, &shop, size).await?;

    let mut report = begun(size, seed, began.elapsed());
    report.bars.push(count("kills of the server", killer.killed, size.kills));
    report.notes.push(format!("{} starts of the server failed by themselves and were repeated", killer.failed_starts));
    report.bars.push(none("payments, refunds, months and notices that have not ended", left));
    let operations = checks::check(platform, &shop, &mut report).await?;
    #[expect(clippy::cast_precision_loss, reason = "thousands of operations")]
    let (operations, least) = (operations as f64, if *size == FULL { OPERATIONS } else { 1.0 });
    report.bars.push(Bar::at_least("purchases, renewals, refunds and uses of coupons", operations, least, ""));
    let renewals = "SELECT count(*) FROM orders WHERE period > 1 AND NOT is_change AND status IN ('Paid', 'Refunded')";
    let renewals = platform.database.count(renewals).await?;
    #[expect(clippy::cast_precision_loss, reason = "hundreds of months")]
    let (renewals, least) = (renewals as f64, plan.kept_plans() as f64 * f64::from(size.months - 1) * RENEWED);
    report.bars.push(Bar::at_least("months that were renewed", renewals, least, ""));
    let wrong = shop.notes().wrong.clone();
    report.bars.push(none("answers that no client should get", wrong.len()));
    report.notes.extend(wrong.into_iter().take(5));
    judge_providers(&shop, size, &mut report);
    search_database(platform, plan, &mut report).await?;
    Ok(report)
}

/// The report's first sentences.
fn begun(size: &Size, seed: u64, took: Duration) -> Report {
    let Size { buyers, purchases, subscribers, months, codes, tries, kills, .. } = size;
    let percent = |share: f64| format!("{:.0} %", share * 100.0);
    let what = format!(
        "{buyers} accounts buy {purchases} packs, {subscribers} of them pay {months} months of a plan (a third with PayPal, of whom a third cancel, one gets money back from an admin and one from PayPal itself), and {codes} codes \
         are tried by {tries} accounts each, while the server is killed {kills} times. Stand-ins of PayPal and \
         TossPayments lose {} of their answers, refuse {} of the calls, decline {} of the charges, and send notices late, \
         twice, in any order and forged. Seed {seed}, {:.0} s.",
        percent(FAULTS.lost),
        percent(FAULTS.unavailable),
        percent(FAULTS.declined),
        took.as_secs_f64()
    );
    Report::new("money", what)
}

/// Searches the rows of all tables and PostgreSQL's log for secrets.
async fn search_database(platform: &Platform, plan: &Plan, report: &mut Report) -> Result<()> {
    let secrets = Secrets::of(plan);
    let cards = platform.database.count("SELECT count(*) FROM payment_methods WHERE secret IS NOT NULL").await?;
    let cards = usize::try_from(cards).unwrap_or(0);
    report.bars.push(count("cards that were saved by the form", cards, plan.buyers.len()));
    let (leaked, rows) = secrets.in_tables(&platform.database.pool).await?;
    report.bars.push(none("secrets in the tables", leaked.len()));
    report.notes.push(format!("{rows} rows of all tables were searched for secrets"));
    report.notes.extend(leaked.into_iter().take(5));
    let leaked = secrets.in_file(&platform.database.log()?)?;
    report.bars.push(none("secrets in PostgreSQL's log", leaked.len()));
    report.notes.extend(leaked.into_iter().take(5));
    Ok(())
}

/// Runs buyers and kills until all have ended.
async fn run_buyers(
    platform: &mut Platform,
    shop: &Arc<Shop>,
    plan: &Plan,
    size: &Size,
    killer: &mut ServerKiller<'_>,
) -> Result<()> {
    let mut buyers = buyers::start(plan, shop, size.at_once);
    let (mut kept, mut moved) = (Instant::now(), (Instant::now(), 0));
    loop {
        let progress = shop.progress.load(Ordering::Relaxed);
        killer.step(platform, progress).await?;
        while let Some(ended) = buyers.try_join_next() {
            ended.map_err(|error| Error::Other(format!("a buyer ended: {error}")))?;
        }
        if buyers.is_empty() && killer.is_done() {
            return Ok(());
        }
        if kept.elapsed() >= UPKEEP_EVERY && killer.is_up() {
            kept = Instant::now();
            clock::end_months(&platform.database.pool, size.months).await?;
            shop.providers.paypal.charge_plans(months(size));
            let shop = Arc::clone(shop);
            drop(tokio::spawn(async move { shop.run_upkeep().await }));
        }
        if progress != moved.1 {
            moved = (Instant::now(), progress);
        } else if moved.0.elapsed() > STUCK_AFTER {
            println!("no purchase has ended for {STUCK_AFTER:?}: what is there is checked");
            return Ok(());
        }
        tokio::time::sleep(POLL_EVERY).await;
    }
}

/// Months that each subscriber pays.
fn months(size: &Size) -> usize {
    usize::try_from(size.months).unwrap_or(0)
}

/// Waits until everything has ended; returns how much has not.
async fn settle(platform: &Platform, shop: &Shop, size: &Size) -> Result<usize> {
    let (pool, until) = (&platform.database.pool, Instant::now() + size.patience);
    loop {
        clock::end_months(pool, size.months).await?;
        shop.providers.paypal.charge_plans(months(size));
        clock::hurry(pool).await?;
        shop.run_upkeep().await;
        tokio::time::sleep(UPKEEP_EVERY).await;
        let rows = usize::try_from(clock::unfinished(pool, size.months).await?).unwrap_or(0);
        let left = rows + shop.providers.notices.under_way();
        if left == 0 || Instant::now() > until {
            return Ok(left);
        }
    }
}

/// What the providers have seen: enough must have gone wrong, and no forged notice may be taken.
fn judge_providers(shop: &Shop, size: &Size, report: &mut Report) {
    let (faults, notices) = (shop.providers.faults(), shop.providers.notices.counts());
    let mut table = Table::new(&["at the providers", "times"]);
    for (what, times) in [
        ("calls", faults.calls),
        ("answers that were lost", faults.lost),
        ("calls that were refused", faults.unavailable),
        ("charges that were declined", faults.declined),
        ("notices", notices.sent),
        ("notices that were sent again, because they were not taken", notices.retries),
        ("notices that were taken", notices.taken),
        ("forged notices", notices.forged),
        ("notices that were given up", notices.given_up),
    ] {
        table.row([what.to_owned(), times.to_string()]);
    }
    report.tables.push(table);
    #[expect(clippy::cast_precision_loss, reason = "thousands of calls")]
    let lost = faults.lost as f64 / faults.calls.max(1) as f64;
    let least = if *size == FULL { LOST } else { QUICK_LOST };
    report.bars.push(Bar::at_least("share of answers that were lost", lost, least, ""));
    report.bars.push(Bar::holds("some notices are forged", notices.forged.to_string(), notices.forged > 0));
    report.bars.push(none("forged notices that were taken", notices.forged_taken));
    report.bars.push(none("genuine notices that were refused", notices.refused));
}

/// Kills the server as purchases end, and starts it again.
struct ServerKiller<'a> {
    kills: std::iter::Peekable<std::slice::Iter<'a, Kill>>,
    /// When the next kill is due, once its progress is reached.
    due: Option<Instant>,
    /// When the dead server starts again.
    up_at: Option<Instant>,
    killed: usize,
    failed_starts: usize,
}

impl<'a> ServerKiller<'a> {
    fn new(kills: &'a [Kill]) -> Self {
        Self { kills: kills.iter().peekable(), due: None, up_at: None, killed: 0, failed_starts: 0 }
    }

    fn is_up(&self) -> bool {
        self.up_at.is_none()
    }

    fn is_done(&mut self) -> bool {
        self.kills.peek().is_none() && self.is_up()
    }

    async fn step(&mut self, platform: &mut Platform, progress: usize) -> Result<()> {
        let now = Instant::now();
        if let Some(at) = self.up_at {
            if at <= now {
                self.up_at = None;
                clock::end_leases(&platform.database.pool).await?;
                platform.server.launch()?;
            }
            return Ok(());
        }
        if platform.server.has_ended() {
            self.failed_starts += 1;
            self.up_at = Some(now + Duration::from_millis(200));
            return Ok(());
        }
        let Some(kill) = self.kills.peek().copied() else { return Ok(()) };
        if self.due.is_none() && progress >= kill.progress {
            self.due = Some(now + kill.delay);
        }
        if self.due.is_some_and(|due| due <= now) {
            self.kills.next();
            self.due = None;
            platform.server.kill();
            self.killed += 1;
            self.up_at = Some(now + kill.down);
        }
        Ok(())
    }
}
