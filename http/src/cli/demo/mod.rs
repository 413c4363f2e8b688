//! Demo content: an admin, three creators, mini apps, posts and pictures. All of it is made through the API, the
//! pictures by running jobs.
//!
//! Finished work is recorded in the data folder, so that the next start continues an interrupted one.

mod accounts;
mod apps;
mod content;
mod posts;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use secrecy::SecretString;
use verdigraph_core::settings::Settings;
use verdigraph_core::{Caller, Core, users};

use super::client::Client;
use super::failure::Failure;
use crate::node::{Database, quiet_core};

/// Fills an empty installation.
#[derive(Debug, clap::Args)]
pub struct Demo {
    /// The running server.
    #[arg(long, value_name = "URL", default_value = "http://localhost:8080")]
    pub server: String,
    /// The data folder of that server [default: the settings', .data].
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
}

/// Runs the command.
pub async fn run(args: Demo) -> ExitCode {
    match perform(args).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {}", failure.message);
            ExitCode::from(failure.exit)
        }
    }
}

async fn perform(args: Demo) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::server(error.to_string());
    let mut settings = Settings::load().map_err(|error| failed(&error))?;
    settings.data.folder = args.data.unwrap_or(settings.data.folder);
    let settings = Arc::new(settings);
    let database = Database::open(&settings).await.map_err(|error| failed(&error))?;
    let core = quiet_core(&settings, &database).map_err(|error| failed(&error))?;
    let filled = fill(&core, &settings.data.folder, &args.server).await;
    core.db.close().await;
    database.close().await.map_err(|error| failed(&error))?;
    filled
}

/// Fills the installation of a server in this process; a failure is printed, and the next start continues.
pub async fn beside(core: &Core, settings: &Settings, server: &str) {
    if let Err(failure) = fill(core, &settings.data.folder, server).await {
        println!("demo content is incomplete, the next start continues: {}", failure.message);
    }
}

async fn fill(core: &Core, data: &Path, server: &str) -> Result<(), Failure> {
    let known = data.join(accounts::FILE).exists();
    let empty = users::is_empty(core).await.map_err(|error| Failure::server(error.to_string()))?;
    if !known && !empty {
        println!("demo content is for an empty installation; this one has users already");
        return Ok(());
    }
    let client = Client::new(server, None)?;
    let mut people = accounts::load(data)?;
    let made = accounts::ensure(&client, data, &mut people).await?;
    for admin in people.iter().filter(|account| account.role == "Admin") {
        let promoted = users::promote(core, &Caller::system(), &admin.email).await;
        promoted.map_err(|error| Failure::server(format!("{}: {error}", admin.email)))?;
    }
    // These mailboxes do not exist, and only confirmed users may publish.
    for account in &people {
        let confirmed = users::confirm(core, &Caller::system(), &account.email).await;
        confirmed.map_err(|error| Failure::server(format!("{}: {error}", account.email)))?;
    }
    if made {
        println!("demo accounts, shown this once and kept in {}:", data.join(accounts::FILE).display());
        for account in &people {
            println!("  {:32} {}  {}", account.email, account.password, account.role);
        }
    }
    let (admins, creators): (Vec<&accounts::Account>, Vec<&accounts::Account>) =
        people.iter().partition(|account| account.role == "Admin");
    let signed_in = |account: &&accounts::Account| client.with_key(SecretString::from(account.api_key.clone()));
    let (admins, creators): (Vec<Client>, Vec<Client>) =
        (admins.iter().map(signed_in).collect(), creators.iter().map(signed_in).collect());
    content::fill(&admins, &creators, data).await
}
