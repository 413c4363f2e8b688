//! A core as the program has it, on a database of its own and with a clock that the test moves.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::TestDatabase;
use crate::fleet::FleetDoor;
use crate::ids::NodeId;
use crate::ledger::LedgerDoor;
use crate::mini_apps::CompiledApps;
use crate::settings::Settings;
use crate::{Clock, Core, Parts};

/// A core for one test. Needs actix's runtime (`#[actix::test]`), because it starts actors.
pub struct TestCore {
    pub core: Core,
    /// Held at 2026-01-01 until the test moves it.
    pub clock: Clock,
    pub database: TestDatabase,
}

impl TestCore {
    /// Starts one.
    ///
    /// # Panics
    /// Where there is no database server, or the built-in settings are broken.
    pub async fn new() -> Self {
        let database = TestDatabase::new().await;
        let start: DateTime<Utc> = "2026-01-01T00:00:00Z".parse().expect("a time");
        let clock = Clock::held(start);
        let parts = Parts {
            clock: clock.clone(),
            settings: Arc::new(Settings::defaults(std::env::temp_dir()).expect("built-in settings")),
            node: NodeId::new(),
            instance: "test".into(),
            ledger: LedgerDoor::start(1, &clock, || database.pool()),
            mini_apps: CompiledApps::default(),
            fleet: FleetDoor::start(database.pool(), clock.clone()),
        };
        Self { core: Core::new(database.db.clone(), Arc::new(parts)), clock, database }
    }
}

impl std::ops::Deref for TestCore {
    type Target = Core;

    fn deref(&self) -> &Core {
        &self.core
    }
}
