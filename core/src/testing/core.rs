//! A core for tests, with a database of its own and a clock that the test controls.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::TestDatabase;
use crate::settings::Settings;
use crate::{Clock, Core, Parts};

/// A core for one test. Needs actix's runtime (`#[actix::test]`), because it starts actors.
pub struct TestCore {
    pub core: Core,
    /// Stands at 2026-01-01 until the test moves it.
    pub clock: Clock,
    pub database: TestDatabase,
    _files: tempfile::TempDir,
}

impl TestCore {
    pub async fn new() -> Self {
        Self::with(Clock::held(Self::start_of_time()), |_| {}).await
    }

    /// The initial time of test clocks.
    #[must_use]
    pub fn start_of_time() -> DateTime<Utc> {
        "2026-01-01T00:00:00Z".parse().expect("a time")
    }

    /// Starts a core with this clock and changed settings.
    pub async fn with(clock: Clock, change: impl FnOnce(&mut Settings)) -> Self {
        let database = TestDatabase::new().await;
        let files = tempfile::tempdir().expect("a folder for files");
        let mut settings = Settings::defaults(files.path()).expect("built-in settings");
        change(&mut settings);
        let pool = database.pool();
        let parts = Parts::start(Arc::new(settings), clock.clone(), "test".into(), &pool).expect("parts that start");
        let core = Core::new(pool, Arc::new(parts));
        Self { core, clock, database, _files: files }
    }

    /// Sends due mail and returns all mails so far as `(recipient, mail)`, in order.
    pub async fn mails(&self) -> Vec<(String, String)> {
        while crate::mail::deliver_due(&self.core).await.expect("mail that leaves") > 0 {}
        let Ok(folder) = std::fs::read_dir(self.settings.mail_folder()) else { return Vec::new() };
        let mut files: Vec<_> = folder.map(|file| file.expect("a mail").path()).collect();
        files.sort();
        let read = |file: &std::path::PathBuf| std::fs::read_to_string(file).expect("a mail that can be read");
        let to = |mail: &str| mail.lines().find_map(|line| line.strip_prefix("To: ")).unwrap_or_default().to_owned();
        files.iter().map(read).map(|mail| (to(&mail), mail)).collect()
    }

    /// The code of the link in the last mail to this address.
    pub async fn code_for(&self, address: &str) -> String {
        let mails = self.mails().await;
        let codes = mails.iter().rev().filter(|(to, _)| to == address).filter_map(|(_, mail)| code_in(mail));
        codes.into_iter().next().expect("a mail with a link")
    }

    /// Another node with the same database, files and Redis. The same `instance` means the same node after a restart.
    #[must_use]
    pub fn another(&self, instance: &str) -> Core {
        self.another_with(instance, |_| ())
    }

    /// Like [`Self::another`], with other settings.
    #[must_use]
    pub fn another_with(&self, instance: &str, change: impl FnOnce(&mut Settings)) -> Core {
        let mut settings = Settings::clone(&self.core.settings);
        change(&mut settings);
        let (shared, settings) = (Arc::clone(&self.core.shared), Arc::new(settings));
        let pool = self.database.pool();
        let parts = Parts::sharing(shared, settings, self.clock.clone(), instance.into(), &pool);
        Core::new(pool, Arc::new(parts.expect("parts that start")))
    }

    /// Another node with the same database and files, without Redis.
    #[must_use]
    pub fn another_without_redis(&self, instance: &str) -> Core {
        let (settings, pool) = (Arc::clone(&self.core.settings), self.database.pool());
        let parts = Parts::start(settings, self.clock.clone(), instance.into(), &pool);
        Core::new(pool, Arc::new(parts.expect("parts that start")))
    }
}

/// The code of the link in an English mail in quoted-printable encoding.
#[must_use]
pub fn code_in(mail: &str) -> Option<String> {
    let text = mail.replace("=\r\n", "").replace("=\n", "").replace("=3D", "=");
    Some(text.split("#code=").nth(1)?.get(..43)?.to_owned())
}

impl std::ops::Deref for TestCore {
    type Target = Core;

    fn deref(&self) -> &Core {
        &self.core
    }
}
