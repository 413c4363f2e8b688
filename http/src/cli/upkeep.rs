//! Commands for operators that run beside the servers: `migrate`, `audit`, `doctor`, `user`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use verdigraph_core::assets::life;
use verdigraph_core::settings::Settings;
use verdigraph_core::{Caller, FILE_OWNERS, billing, database, ledger, users};

use crate::node::{Database, NodeError, quiet_core};

/// The installation to work on.
#[derive(Debug, Clone, clap::Args)]
pub struct Installation {
    /// The data folder of the installation [default: the settings', .data].
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
}

/// Options of `audit`.
#[derive(Debug, Clone, clap::Args)]
pub struct Audit {
    /// Ignores earlier audits: reads everything, which also finds manual changes of old rows.
    #[arg(long)]
    pub from_the_beginning: bool,
    #[command(flatten)]
    pub installation: Installation,
}

/// Subcommands of `user`.
#[derive(Debug, clap::Subcommand)]
pub enum User {
    /// Makes a user an admin.
    Promote {
        /// The user's e-mail address.
        email: String,
        #[command(flatten)]
        installation: Installation,
    },
    /// Gives a user a plan.
    Plan {
        /// The user's e-mail address.
        email: String,
        /// The name of a plan of config/plans.toml.
        plan: String,
        /// Gives it for so many days; the user's own plan holds again after them.
        #[arg(long, value_parser = clap::value_parser!(u32).range(1..=3650))]
        days: Option<u32>,
        #[command(flatten)]
        installation: Installation,
    },
    /// Confirms a user's e-mail address, for installations that cannot send mail.
    Confirm {
        /// The user's e-mail address.
        email: String,
        #[command(flatten)]
        installation: Installation,
    },
}

/// Subcommands of `doctor`.
#[derive(Debug, clap::Subcommand)]
pub enum Doctor {
    /// Compares stored files with the rows that refer to them; fails if a file is missing.
    Files {
        /// Marks unreferenced files as deleted: a running server removes them within the hour.
        #[arg(long)]
        fix: bool,
        #[command(flatten)]
        installation: Installation,
    },
}

/// Migrates the database.
pub async fn migrate(installation: Installation) -> ExitCode {
    let done = with_database(installation, async |_, _| Ok(())).await;
    finish(done.map(|()| {
        println!("the database is up to date");
        ExitCode::SUCCESS
    }))
}

/// Recomputes balances, compares orders with payments and the ledger, and prints any difference; fails if there is one.
pub async fn audit(Audit { from_the_beginning, installation }: Audit) -> ExitCode {
    let done = with_database(installation, async |settings, database| {
        let pool = database::connect(&database.url, &settings.database).await?;
        let done = match from_the_beginning {
            true => ledger::full_audit(&pool).await,
            false => ledger::audit(&pool).await,
        };
        let orders = billing::audit_orders(&pool).await;
        pool.close().await;
        Ok((done?, orders?))
    });
    finish(done.await.map(|(audit, orders)| {
        let report = audit.report();
        let sums = format!(
            "granted {} = available {} + held {} + spent {} + expired {} + debited {}",
            report.granted, report.available, report.held, report.spent, report.expired, report.debited
        );
        let (accounts, grants, entries) = (report.accounts, report.grants, report.entries);
        match &audit {
            ledger::Audit::Full(report) => {
                println!("{accounts} accounts, {grants} grants, {} holds, {entries} entries: {sums}", report.holds);
            }
            ledger::Audit::Incremental(since) => {
                println!("{accounts} accounts, {grants} grants, {entries} entries: {sums}");
                println!(
                    "proved since {}: {} accounts that have moved, by {} entries; {} of them from their beginning",
                    moment(since.since),
                    since.moved,
                    since.read,
                    since.reproved
                );
                println!(
                    "all of it was proved from the beginning at {}; --from-the-beginning does so now",
                    moment(since.full_audit_at)
                );
            }
        }
        for difference in report.differences.iter().chain(&orders) {
            println!("difference: {difference}");
        }
        if report.is_clean() && orders.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }))
}

fn moment(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// Compares stored files with the database, and prints the result.
pub async fn doctor(Doctor::Files { fix, installation }: Doctor) -> ExitCode {
    let done = with_database(installation, async |settings, database| {
        let core = quiet_core(settings, database)?;
        let found = life::inspect(&core, FILE_OWNERS).await?;
        let let_go = if fix { life::walk(&core, FILE_OWNERS).await? } else { 0 };
        core.db.close().await;
        Ok((found, let_go))
    });
    finish(done.await.map(|(found, let_go)| {
        println!(
            "{} files with {} bytes stored: {} referenced, {} being deleted, {} unreferenced ({} bytes)",
            found.stored_files,
            found.stored_bytes,
            found.named - found.missing.len() as u64,
            found.orphaned,
            found.unknown,
            found.unknown_bytes
        );
        if fix {
            println!("{let_go} files were marked as deleted; a running server removes them within the hour");
        }
        for content in &found.missing {
            println!("missing: {}", content.as_str());
        }
        if found.missing.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }))
}

/// Runs a `user` command.
pub async fn user(command: User) -> ExitCode {
    let (email, installation, what) = match &command {
        User::Promote { email, installation } => (email, installation, "is an admin now".to_owned()),
        User::Plan { email, plan, days: None, installation } => {
            (email, installation, format!("has the plan {plan} now"))
        }
        User::Plan { email, plan, days: Some(days), installation } => {
            (email, installation, format!("has the plan {plan} for {days} days"))
        }
        User::Confirm { email, installation } => (email, installation, "has a confirmed address now".to_owned()),
    };
    let done = with_database(installation.clone(), async |settings, database| {
        let core = quiet_core(settings, database)?;
        let user = match &command {
            User::Promote { .. } => users::promote(&core, &Caller::system(), email).await?,
            User::Plan { plan, days, .. } => {
                let until = days.map(|days| core.clock.now() + TimeDelta::days(i64::from(days)));
                users::give_plan_to(&core, &Caller::system(), email, plan, until).await?
            }
            User::Confirm { .. } => users::confirm(&core, &Caller::system(), email).await?,
        };
        core.db.close().await;
        Ok(user)
    });
    finish(done.await.map(|user| {
        println!("{} {} {what}; a running server may take a minute to notice", user.name, user.name_tag());
        ExitCode::SUCCESS
    }))
}

/// Opens the installation's database for one command; a private server that was not running is stopped afterwards.
pub(super) async fn with_database<T>(
    installation: Installation,
    work: impl AsyncFnOnce(&Arc<Settings>, &Database) -> Result<T, NodeError>,
) -> Result<T, NodeError> {
    let mut settings = Settings::load()?;
    settings.data.folder = installation.data.unwrap_or(settings.data.folder);
    let settings = Arc::new(settings);
    let database = Database::open(&settings).await?;
    let done = work(&settings, &database).await;
    database.close().await?;
    done
}

pub(super) fn finish(done: Result<ExitCode, NodeError>) -> ExitCode {
    done.unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::FAILURE
    })
}
