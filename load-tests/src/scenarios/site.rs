//! A platform with people and a published mini app: what most scenarios begin with.

use std::cell::Cell;
use std::net::SocketAddr;
use std::time::Duration;

use super::{Common, address};
use crate::accounts::{Maker, Proof, read_keys};
use crate::app::{App, Recipe, Seeds};
use crate::counts::{self, Counts};
use crate::error::{Error, Result};
use crate::load::{Loop, Outcome};
use crate::platform::{Platform, Shape, Usage};
use crate::report::Report;

/// Where load goes.
pub struct Site {
    /// `None` where somebody's server was named.
    pub platform: Option<Platform>,
    pub address: SocketAddr,
    pub keys: Vec<Proof>,
    pub sessions: Vec<Proof>,
    pub app: App,
    pub seeds: Seeds,
    /// What was accepted and what was never answered so far, for the counts at the end.
    pub accepted: Cell<u64>,
    pub unknown: Cell<u64>,
}

/// Who shall be there.
#[derive(Debug, Clone, Copy)]
pub struct People {
    pub keys: usize,
    pub sessions: usize,
}

impl Site {
    /// Starts a platform of this shape, makes the people and publishes the app.
    ///
    /// # Errors
    /// Any part does not start or refuses something.
    pub async fn start(shape: &Shape, people: People, recipe: &Recipe) -> Result<Self> {
        let platform = Platform::start(shape).await?;
        let address = address(&platform.server.url())?;
        let maker = Maker::new(&platform.database.url, platform.folder())?;
        let keys = maker.keys(people.keys).await?;
        let sessions = maker.sessions(people.sessions).await?;
        maker.close().await;
        Self::at(Some(platform), address, keys, sessions, recipe).await
    }

    /// Somebody's server, with keys from a file. Where its workers do not know the recipe's nodes, a small drawing of the
    /// built-in worker is submitted instead.
    ///
    /// # Errors
    /// There are no keys, or the server refuses them.
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
        let owner = owner.ok_or_else(|| Error::Other("nobody is there to publish the app".to_owned()))?;
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

    /// Runs a closed loop of submits by the first `people` keys, and reads the clocks of server and database.
    ///
    /// # Errors
    /// The server cannot be connected to.
    pub async fn load(&self, plan: &Loop, people: usize) -> Result<(Outcome, Vec<Usage>, Vec<Usage>)> {
        let people = self.keys.get(..people.clamp(1, self.keys.len())).unwrap_or_default();
        let all = self.app.submits(people, &self.seeds);
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

    /// A closed loop against this site.
    #[must_use]
    pub fn plan(&self, connections: usize, length: Duration) -> Loop {
        Loop { address: self.address, connections, warm_up: Duration::from_secs(2).min(length), length, pace: None }
    }

    /// Puts into the report whether everything adds up, and stops the platform. Of somebody's server only the app is
    /// taken back; its database is not ours to look into.
    ///
    /// # Errors
    /// The database cannot be read, the audit cannot be run, or a part does not stop.
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

    /// The site's own platform.
    ///
    /// # Errors
    /// It is somebody else's.
    pub fn own(&self) -> Result<&Platform> {
        self.platform.as_ref().ok_or_else(|| Error::Other("this needs a platform of its own".to_owned()))
    }
}
