//! A platform with accounts and a published mini app, which most scenarios need.

use std::cell::Cell;
use std::net::SocketAddr;
use std::time::Duration;

use super::{Common, address};
use crate::accounts::{AccountFactory, Proof, read_keys};
use crate::app::{App, Recipe, Seeds};
use crate::counts::{self, Counts};
use crate::error::{Error, Result};
use crate::load::{Loop, Outcome};
use crate::platform::{Platform, Shape, Usage};
use crate::report::Report;

/// The target of load.
pub struct Site {
    /// `None` with `--server`.
    pub platform: Option<Platform>,
    pub address: SocketAddr,
    pub keys: Vec<Proof>,
    pub sessions: Vec<Proof>,
    pub app: App,
    pub seeds: Seeds,
    /// Accepted and unanswered submits, for the final counts.
    pub accepted: Cell<u64>,
    pub unknown: Cell<u64>,
}

/// The accounts to create.
#[derive(Debug, Clone, Copy)]
pub struct People {
    pub keys: usize,
    pub sessions: usize,
}

impl Site {
    /// Starts a platform, creates the accounts and publishes the app.
    pub async fn start(shape: &Shape, people: People, recipe: &Recipe) -> Result<Self> {
        let platform = Platform::start(shape).await?;
        let address = address(&platform.server.url())?;
        let maker = AccountFactory::new(&platform.database.url, platform.folder())?;
        let keys = maker.keys(people.keys).await?;
        let sessions = maker.sessions(people.sessions).await?;
        maker.close().await;
        Self::at(Some(platform), address, keys, sessions, recipe).await
    }

    /// Uses `--server` with keys from a file. If its workers do not know the recipe's nodes, uses a small drawing of
    /// the built-in worker.
    pub async fn given(common: &Common, recipe: &Recipe) -> Result<Option<Self>> {
        let (Some(address), Some(file)) = (common.address()?, &common.keys) else { return Ok(None) };
        let keys = read_keys(file)?;
        let site = match Self::at(None, address, keys.clone(), Vec::new(), recipe).await {
            Err(Error::Other(_)) => Self::at(None, address, keys, Vec::new(), &Recipe::drawing(64)).await?,
            other => other?,
        };
        Ok(Some(site))
    }

    async fn at(
        platform: Option<Platform>,
        address: SocketAddr,
        keys: Vec<Proof>,
        sessions: Vec<Proof>,
        recipe: &Recipe,
    ) -> Result<Self> {
        let owner = keys.first().or(sessions.first());
        let owner = owner.ok_or_else(|| Error::Other("no API key to publish the app with".to_owned()))?;
        let app = recipe.publish(address, owner).await?;
        Ok(Self {
            platform,
            address,
            keys,
            sessions,
            app,
            seeds: Seeds::default(),
            accepted: Cell::default(),
            unknown: Cell::default(),
        })
    }

    /// Runs a closed loop of submits with the first `people` keys. Measures the usage of server and database.
    pub async fn load(&self, plan: &Loop, people: usize) -> Result<(Outcome, Vec<Usage>, Vec<Usage>)> {
        let people = self.keys.get(..people.clamp(1, self.keys.len())).unwrap_or_default();
        self.load_with(plan, &self.app, people).await
    }

    /// As [`Site::load`], with the terms of this app and these accounts.
    pub async fn load_with(
        &self,
        plan: &Loop,
        app: &App,
        people: &[Proof],
    ) -> Result<(Outcome, Vec<Usage>, Vec<Usage>)> {
        let all = app.submits(people, &self.seeds);
        let (mut server, mut database) = (Vec::new(), Vec::new());
        let looks = || {
            if let Some(platform) = &self.platform {
                server.push(platform.server.usage());
                database.push(platform.database.usage());
            }
        };
        let outcome = plan.run(|connection| all.clone().starting_at(connection * 7), looks).await?;
        self.accepted.set(self.accepted.get() + outcome.accepted);
        self.unknown.set(self.unknown.get() + outcome.broken);
        Ok((outcome, server, database))
    }

    #[must_use]
    pub fn plan(&self, connections: usize, length: Duration) -> Loop {
        Loop { address: self.address, connections, warm_up: Duration::from_secs(2).min(length), length, pace: None }
    }

    /// Reports whether all counts match, and stops the platform. With `--server` it only deletes the app.
    pub async fn finish(self, report: &mut Report) -> Result<Option<Counts>> {
        let Some(platform) = self.platform else {
            if let Some(owner) = self.keys.first() {
                self.app.withdraw(self.address, owner).await?;
            }
            return Ok(None);
        };
        let counts = counts::check(&platform, self.accepted.get(), self.unknown.get(), report).await?;
        platform.stop().await?;
        Ok(Some(counts))
    }

    /// The private platform.
    pub fn own(&self) -> Result<&Platform> {
        self.platform.as_ref().ok_or_else(|| Error::Other("this needs a platform of its own".to_owned()))
    }
}
