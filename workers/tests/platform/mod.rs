//! A whole node on scripted workers: real actors, a real database, real sockets.

use std::sync::Arc;
use std::time::Duration;

use serde_json::value::RawValue;
use serde_json::{Value, json};
use verdigraph_core::fleet::{self, NewWorker};
use verdigraph_core::ids::{JobId, UserId};
use verdigraph_core::jobs::{self, JobStatus, PromptSubmit, RunTerms, Status, Submitted};
use verdigraph_core::ledger;
use verdigraph_core::settings::Settings;
use verdigraph_core::testing::TestCore;
use verdigraph_core::{Caller, Clock, Core, Result, users};
use verdigraph_scripted::{Options, Scripted};
use verdigraph_workers::connection::{self, Files};
use verdigraph_workers::fleet::Fleet;

/// Timeout of any single wait.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// A node with workers and a user who has credits.
pub struct Platform {
    pub core: TestCore,
    pub servers: Vec<Scripted>,
    pub user: UserId,
    pub caller: Caller,
}

impl Platform {
    /// A node with this many idle scripted workers.
    pub async fn open(workers: usize) -> Self {
        Self::with(workers, |_| {}).await
    }

    /// With changed settings.
    pub async fn with(workers: usize, change: impl FnOnce(&mut Settings)) -> Self {
        Self::of(vec![Options::default(); workers], change).await
    }

    /// With workers of different kinds, in this order.
    pub async fn of(workers: Vec<Options>, change: impl FnOnce(&mut Settings)) -> Self {
        Self::patient(workers, super::stage::hurried(), change).await
    }

    /// With other connection settings.
    pub async fn patient(
        workers: Vec<Options>,
        patience: connection::Settings,
        change: impl FnOnce(&mut Settings),
    ) -> Self {
        Self::storing(workers, patience, change, |files| files).await
    }

    /// With another storage for connections.
    pub async fn storing(
        workers: Vec<Options>,
        patience: connection::Settings,
        change: impl FnOnce(&mut Settings),
        through: impl FnOnce(Arc<dyn Files>) -> Arc<dyn Files>,
    ) -> Self {
        let count = workers.len();
        let core = TestCore::with(Clock::System, |settings| {
            settings.jobs.sweep_seconds = 1;
            settings.jobs.lease_seconds = 5;
            change(settings);
        })
        .await;
        let servers: Vec<Scripted> =
            workers.into_iter().map(|options| Scripted::start(options).expect("a scripted server")).collect();
        start_storing(&core, &servers, patience, through(Arc::new(core.files.clone()))).await;
        let user = users::factory::user().insert(&core.db).await;
        let platform = Self { core, servers, user, caller: Caller::customer(user) };
        platform.until_idle(count).await;
        platform
    }

    pub async fn until_idle(&self, workers: usize) {
        let idle = || {
            let views = self.core.fleet.roster().views();
            views.iter().filter(|view| view.state == fleet::WorkerState::Idle && view.job.is_none()).count()
        };
        until("the workers are idle", || async { (idle() >= workers).then_some(()) }).await;
    }

    /// Submits a graph with one picture and a text.
    pub async fn submit(&self) -> JobId {
        self.try_submit(graph(), None).await.expect("an accepted job").id
    }

    pub async fn try_submit(&self, prompt: Value, key: Option<&str>) -> Result<Submitted> {
        let submit = PromptSubmit {
            prompt: raw(&prompt),
            files: Default::default(),
            extra_data: None,
            strict: false,
            terms: RunTerms::default(),
            idempotency_key: key.map(Into::into),
            batch: None,
            labels: jobs::JobLabels::default(),
        };
        jobs::submit_prompt(&self.core, &self.caller, submit).await
    }

    pub async fn status(&self, job: JobId) -> JobStatus {
        jobs::status(&self.core, &self.caller, job).await.expect("the owner may see the job")
    }

    pub async fn until_status(&self, job: JobId, wanted: Status) -> JobStatus {
        until(&format!("the job is {wanted:?}"), || async {
            let status = self.status(job).await;
            assert!(
                status.job.status == wanted || !status.job.status.is_terminal(),
                "the job ended as {:?} instead of {wanted:?}: {:?}",
                status.job.status,
                status.job
            );
            (status.job.status == wanted).then_some(status)
        })
        .await
    }

    /// Waits for the end of a job, with any status.
    pub async fn end(&self, job: JobId) -> JobStatus {
        until("the job has ended", || async {
            let status = self.status(job).await;
            status.job.status.is_terminal().then_some(status)
        })
        .await
    }

    pub async fn balance(&self) -> ledger::Balance {
        ledger::balance(&self.core, &self.caller).await.expect("a balance")
    }

    /// Checks that no hold is left and that the ledger balances. Every test ends with this.
    pub async fn audit(&self) {
        let report = ledger::reconcile(&self.core.db).await.expect("an audit");
        assert!(report.is_clean(), "{:#?}", report.differences);
        assert_eq!(report.held, 0, "credits are still held after every job has ended");
    }
}

/// Connects a core to scripted workers and starts its queue, as `serve` does.
pub async fn start(core: &Core, servers: &[Scripted], settings: connection::Settings) {
    start_storing(core, servers, settings, Arc::new(core.files.clone())).await;
}

async fn start_storing(core: &Core, servers: &[Scripted], settings: connection::Settings, files: Arc<dyn Files>) {
    let arbiter = actix::Arbiter::current();
    let connections = Fleet::start(&arbiter, &core.supervisor, files, core.fleet.reports(), settings);
    core.fleet.connect(connections.recipient());
    let workers: Vec<NewWorker> = servers
        .iter()
        .enumerate()
        .map(|(number, server)| NewWorker {
            name: format!("w{number}"),
            url: server.url(),
            pool: "cpu".into(),
            home: None,
        })
        .collect();
    fleet::start(core, &workers).await.expect("a fleet");
    jobs::start(core);
}

/// Retries until there is an answer.
pub async fn until<T, F: Future<Output = Option<T>>>(what: &str, mut ask: impl FnMut() -> F) -> T {
    let asked = async {
        loop {
            if let Some(answer) = ask().await {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, asked).await.unwrap_or_else(|_| panic!("{what}: not in time"))
}

pub fn raw(value: &Value) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).expect("JSON")
}

/// A graph with one picture. Every call returns another graph, so that none is cached by chance.
pub fn graph() -> Value {
    json!({
        "1": {"class_type": "EmptyImage", "inputs": {"width": 16, "height": 16, "batch_size": 1, "color": 255}},
        "2": {"class_type": "SaveImage", "inputs": {"images": ["1", 0], "filename_prefix": "test"}},
    })
}
