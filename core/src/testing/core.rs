//! A core as the program has it, on a database of its own and with a clock that the test moves.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::TestDatabase;
use crate::settings::Settings;
use crate::{Clock, Core, Parts};

/// A core for one test. Needs actix's runtime (`#[actix::test]`), because it starts actors.
pub struct TestCore {
    pub core: Core,
    /// Held at 2026-01-01 until the test moves it.
    pub clock: Clock,
    pub database: TestDatabase,
    _files: tempfile::TempDir,
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
        let files = tempfile::tempdir().expect("a folder for files");
        let settings = Arc::new(Settings::defaults(files.path()).expect("built-in settings"));
        let parts = Parts::start(settings, clock.clone(), "test".into(), || database.pool()).expect("parts that start");
        Self { core: Core::new(database.db.clone(), Arc::new(parts)), clock, database, _files: files }
    }
}

impl std::ops::Deref for TestCore {
    type Target = Core;

    fn deref(&self) -> &Core {
        &self.core
    }
}
