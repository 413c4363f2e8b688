//! `audit`: the duration of the ledger audit, from the beginning and from the last proof.

use std::process::ExitCode;
use std::time::Instant;

use sqlx::{AssertSqlSafe, PgConnection};
use verdigraph_core::ledger::{self, Audit};

use super::Common;
use crate::error::{Error, Result};
use crate::platform::Platform;
use crate::report::{Bar, Report, Table, median, short};

/// Repetitions; the median counts.
const RUNS: usize = 3;
/// Jobs of each account, three entries each.
const JOBS: i64 = 33;
/// One of this many accounts has changed since the previous proof.
const ONE_IN: i64 = 100;

#[derive(Debug, Clone, Default, clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub common: Common,
    /// Entries of the ledger, about [default: 20,000; with --quick 5,000]
    #[arg(long)]
    pub entries: Option<i64>,
}

/// Fills a ledger with its own statements, and audits it both ways.
pub async fn run(Args { common, entries }: &Args) -> Result<ExitCode> {
    common.must_be_own("a ledger is filled by hand")?;
    let wanted = entries.unwrap_or(if common.quick { 5_000 } else { 20_000 });
    let accounts = (wanted / (1 + 3 * JOBS)).max(ONE_IN);
    let platform = Platform::start(&common.shape(1)?).await?;
    let (pool, mut db) = (&platform.database.pool, platform.database.connect().await?);
    fill(&mut db, accounts).await?;
    let (mut whole, mut since) = (Vec::new(), Vec::new());
    let (mut clean, mut right) = (true, true);
    let moved = accounts / ONE_IN;
    let mut read = 0;
    for run in 1..=RUNS {
        println!("run {run} of {RUNS}");
        let began = Instant::now();
        let report = ledger::full_audit(pool).await.map_err(failed)?;
        whole.push(began.elapsed().as_secs_f64() * 1000.0);
        clean &= report.report().is_clean();
        step(&mut db, JOBS + i64::try_from(run).unwrap_or(1), "now()", moved).await?;
        let began = Instant::now();
        let audit = ledger::audit(pool).await.map_err(failed)?;
        since.push(began.elapsed().as_secs_f64() * 1000.0);
        clean &= audit.report().is_clean();
        match audit {
            Audit::Incremental(progress) => {
                right &= i64::try_from(progress.moved) == Ok(moved) && progress.reproved == 0;
                read = progress.read;
            }
            Audit::Full(_) => right = false,
        }
    }
    let by_hand = "UPDATE credit_holds SET captured = captured - 1 WHERE job_id =
                   (SELECT job_id FROM credit_entries WHERE kind = 2 ORDER BY id DESC LIMIT 1)";
    step(&mut db, JOBS + 1 + i64::try_from(RUNS).unwrap_or(1), "now()", moved).await?;
    sqlx::query(by_hand).execute(&mut db).await?;
    let finds_it = !ledger::audit(pool).await.map_err(failed)?.report().is_clean();

    let (all, some) = (median(&whole), median(&since));
    let mut report = Report::new(
        "audit",
        format!(
            "{accounts} accounts with {} entries each, of which one in {ONE_IN} has moved; medians of {RUNS} runs.",
            1 + 3 * JOBS
        ),
    );
    let mut table = Table::new(&["audit", "accounts", "entries read", "ms"]);
    table.row([
        "from the beginning".to_owned(),
        accounts.to_string(),
        (accounts * (1 + 3 * JOBS)).to_string(),
        short(all),
    ]);
    table.row(["since the last one".to_owned(), moved.to_string(), read.to_string(), short(some)]);
    report.tables.push(table);
    report.bars.push(Bar::holds("both find nothing where nothing is", String::from("no difference"), clean));
    report.bars.push(Bar::holds("only what has moved is read", format!("{moved} accounts, {read} entries"), right));
    report.bars.push(Bar::holds(
        "what was done by hand to what has moved is found",
        String::from("one hold"),
        finds_it,
    ));
    report.bars.push(Bar::holds(
        "an incremental audit is quicker than a full one",
        format!("{} times", short(all / some)),
        some < all,
    ));
    drop(db);
    platform.stop().await?;
    report.finish(common.output())
}

fn failed(error: verdigraph_core::Error) -> Error {
    Error::Other(error.to_string())
}

/// Creates accounts that each ran [`JOBS`] jobs yesterday, one after the other: held 5, captured 2.
async fn fill(db: &mut PgConnection, accounts: i64) -> Result<()> {
    let begin = format!(
        "CREATE TEMP SEQUENCE entry_numbers;
         CREATE FUNCTION pg_temp.entry_id(at timestamptz) RETURNS uuid LANGUAGE sql VOLATILE AS $$
           SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '70008'
                   || lpad(to_hex(nextval('entry_numbers')), 15, '0'))::uuid $$;
         CREATE TEMP TABLE scene AS SELECT number, gen_random_uuid() AS account, gen_random_uuid() AS lot
         FROM generate_series(1, {accounts}) AS number;
         INSERT INTO credit_accounts SELECT account, 1 FROM scene;
         INSERT INTO credit_grants (id, account_id, kind, source, amount, remaining, issued_at)
         SELECT lot, account, 2, 'load', 1000000, 1000000, now() FROM scene;
         INSERT INTO credit_entries (id, account_id, grant_id, kind, amount, balance_after, created_at, version)
         SELECT pg_temp.entry_id(now() - interval '1 day'), account, lot, 0, 1000000, 1000000, now(), 1 FROM scene;"
    );
    sqlx::raw_sql(AssertSqlSafe(begin)).execute(&mut *db).await?;
    for job in 1..=JOBS {
        step(db, job, "now() - interval '1 day'", accounts).await?;
    }
    sqlx::raw_sql("ANALYZE credit_accounts, credit_grants, credit_holds, credit_entries").execute(db).await?;
    Ok(())
}

/// Adds one more job to each of the first accounts.
async fn step(db: &mut PgConnection, job: i64, at: &str, accounts: i64) -> Result<()> {
    let (held, left) = (1_000_000 - 2 * (job - 1) - 5, 1_000_000 - 2 * job);
    let step = format!(
        "CREATE TEMP TABLE now_run AS SELECT account, lot, pg_temp.entry_id({at}) AS job FROM scene
         WHERE number <= {accounts};
         INSERT INTO credit_holds (job_id, account_id, state, held, captured, grant_ids, amounts, created_at, settled_at)
         SELECT job, account, 1, 5, 2, ARRAY[lot], ARRAY[5::bigint], now(), now() FROM now_run;
         INSERT INTO credit_entries (id, account_id, grant_id, job_id, kind, amount, balance_after, created_at, version)
         SELECT pg_temp.entry_id({at}), account, lot, job, 1, 5, {held}, now(), {first} FROM now_run;
         INSERT INTO credit_entries (id, account_id, grant_id, job_id, kind, amount, balance_after, created_at, version)
         SELECT pg_temp.entry_id({at}), account, lot, job, 2, 2, {held}, now(), {second} FROM now_run;
         INSERT INTO credit_entries (id, account_id, grant_id, job_id, kind, amount, balance_after, created_at, version)
         SELECT pg_temp.entry_id({at}), account, lot, job, 3, 3, {left}, now(), {second} FROM now_run;
         UPDATE credit_grants g SET remaining = {left}, spent = 1000000 - {left} FROM now_run r WHERE g.id = r.lot;
         UPDATE credit_accounts a SET version = {second} FROM now_run r WHERE a.account_id = r.account;
         DROP TABLE now_run;",
        first = 2 * job,
        second = 2 * job + 1,
    );
    sqlx::raw_sql(AssertSqlSafe(step)).execute(db).await?;
    Ok(())
}
