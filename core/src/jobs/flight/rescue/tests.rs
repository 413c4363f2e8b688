//! Tests of jobs that a node takes over from a lost one: their prompts may have run already.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use actix::{Actor, ActorContext, Addr, Context, Handler, Message};
use sqlx::{Postgres, Transaction};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::sweep;
use crate::fleet::{
    self, Assign, AssignMode, NewWorker, NodeOutput, OutputItem, OutputKind, Refresh, ReportEvent, Stop, WorkerAction,
    WorkerReport, WorkerState,
};
use crate::ids::{JobId, UserId, WorkerId};
use crate::jobs::tests::{TestJob, capabilities, held_job, stage, stage_with};
use crate::jobs::{Status, queue, status};
use crate::supervision::Part;
use crate::testing::TestCore;
use crate::{Caller, database};

/// Timeout of any single wait.
const PATIENCE: Duration = Duration::from_secs(30);

/// A connection that passes its assignments to the test, and records the stopped attempts.
struct Connection {
    assigned: UnboundedSender<Assign>,
    stopped: Arc<Mutex<Vec<(JobId, i32)>>>,
}

impl Actor for Connection {
    type Context = Context<Self>;
}

impl Handler<Assign> for Connection {
    type Result = ();
    fn handle(&mut self, assign: Assign, _: &mut Self::Context) {
        drop(self.assigned.send(assign));
    }
}

impl Handler<Stop> for Connection {
    type Result = ();
    fn handle(&mut self, stop: Stop, _: &mut Self::Context) {
        self.stopped.lock().expect("a lock").push((stop.job, stop.attempt));
    }
}

impl Handler<Refresh> for Connection {
    type Result = ();
    fn handle(&mut self, _: Refresh, _: &mut Self::Context) {}
}

#[derive(Message)]
#[rtype(result = "()")]
struct End;

impl Handler<End> for Connection {
    type Result = ();
    fn handle(&mut self, _: End, context: &mut Self::Context) {
        context.stop();
    }
}

async fn until(what: &str, is: impl AsyncFn() -> bool) {
    let asked = async {
        while !is().await {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, asked).await.expect(what);
}

/// Ends a connection, as a release of its worker does.
async fn end(connection: &Addr<Connection>) {
    connection.send(End).await.expect("a connection");
    until("the end of the connection", async || !connection.connected()).await;
}

async fn next(assigned: &mut UnboundedReceiver<Assign>) -> Assign {
    let assign = tokio::time::timeout(PATIENCE, assigned.recv()).await.expect("an assignment in time");
    assign.expect("a connection")
}

/// A node that owns a worker, at which a job of a lost node runs.
struct Takeover {
    core: TestCore,
    worker: WorkerId,
    user: UserId,
    job: JobId,
    /// The attempts that were stopped at the worker.
    stopped: Arc<Mutex<Vec<(JobId, i32)>>>,
}

impl Takeover {
    async fn new() -> Self {
        let core = stage_with(|settings| settings.jobs.sweep_seconds = 1).await;
        let new = NewWorker { name: "w".into(), url: "http://worker".into(), pool: "cpu".into(), home: None };
        fleet::start(&core, &[new]).await.expect("a fleet");
        let worker = core.fleet.roster().views().first().expect("a worker").id;
        let user = UserId::new();
        let job = held_job(&core, user).await;
        sqlx::query("INSERT INTO job_prompts (hash, prompt, text, created_at) VALUES ('p', $1::jsonb, $1, now())")
            .bind(r#"{"1": {"class_type": "Blur", "inputs": {}}}"#)
            .execute(&core.db)
            .await
            .expect("a prompt");
        sqlx::query(
            "UPDATE jobs SET status = 3, attempt = 1, worker_id = $2, started_at = created_at, max_run_ms = 5000,
                             lease_node = gen_random_uuid() WHERE id = $1",
        )
        .bind(job.0)
        .bind(worker.0)
        .execute(&core.db)
        .await
        .expect("a job that runs");
        Self { core, worker, user, job, stopped: Arc::default() }
    }

    /// A new connection of the worker, and its assignments.
    async fn connect(&self) -> (Addr<Connection>, UnboundedReceiver<Assign>) {
        let (sender, assigned) = unbounded_channel();
        let connection = Connection { assigned: sender, stopped: Arc::clone(&self.stopped) }.start();
        let can = Some(capabilities(&["Blur"]));
        fleet::factory::report_by(&self.core, &connection, self.worker, WorkerState::Idle, can).await;
        (connection, assigned)
    }

    /// Starts the node. It takes the job over, and cannot read its prompt before the lock is released.
    async fn begin(&self) -> Transaction<'static, Postgres> {
        let mut lock = database::begin(&self.core.db).await.expect("a transaction");
        sqlx::raw_sql("LOCK TABLE job_prompts IN ACCESS EXCLUSIVE MODE").execute(&mut *lock).await.expect("a lock");
        queue::start(&self.core);
        self.core.database.wait_for_locks(1).await;
        lock
    }

    /// Takes the job over while the worker's first connection ends. Returns the assignments of the second one.
    async fn begin_at_second_connection(&self) -> UnboundedReceiver<Assign> {
        let (first, _) = self.connect().await;
        let lock = self.begin().await;
        end(&first).await;
        let (_, assigned) = self.connect().await;
        lock.rollback().await.expect("the lock is gone");
        assigned
    }

    /// The status of the job, and its attempt.
    async fn found(&self) -> (Status, i16) {
        let found = status(&self.core, &Caller::customer(self.user), self.job).await.expect("a job").job;
        (found.status, found.attempt)
    }

    /// Checks that the attempt ends at a node that has left, and that the job is left as it was.
    async fn is_left(&self) {
        let roster = self.core.fleet.roster();
        let has_ended = async || roster.view(self.worker).is_some_and(|view| view.job.is_none());
        until("the end of the attempt", has_ended).await;
        assert_eq!(self.found().await, (Status::Running, 1));
    }

    /// Checks that the connection looks for the prompt of the lost node, and that the job ends with its result.
    async fn finish(&self, assigned: &mut UnboundedReceiver<Assign>) {
        let assign = next(assigned).await;
        assert_eq!((assign.job, assign.attempt), (self.job, 1), "the job was requeued");
        assert!(matches!(assign.begin, AssignMode::Resume { ran: Some(_) }), "{:?}", assign.begin);
        let items = vec![OutputItem::Text { text: "done".into() }];
        let outputs = vec![NodeOutput { node_id: "1".into(), kind: OutputKind::Text, items }];
        let event = ReportEvent::Finished { outputs, ran_ms: 10 };
        let report = WorkerReport { job: self.job, attempt: 1, worker: self.worker, event };
        assign.reports.try_send(report).expect("a job that listens");
        until("the end of the job", async || self.found().await == (Status::Done, 1)).await;
        let report = crate::ledger::reconcile(&self.core.db).await.expect("an audit");
        assert!(report.is_clean() && report.held == 0, "{report:?}");
    }
}

#[actix::test]
async fn job_whose_connection_ends_during_a_takeover_continues_at_the_next_connection() {
    let takeover = Takeover::new().await;
    let mut assigned = takeover.begin_at_second_connection().await;
    takeover.finish(&mut assigned).await;
}

#[actix::test]
async fn panic_of_a_job_stops_its_prompt_at_the_connection_that_has_it() {
    let takeover = Takeover::new().await;
    let mut assigned = takeover.begin_at_second_connection().await;
    let assign = next(&mut assigned).await;
    takeover.core.supervisor.faults().plan(Part::Job, "Report", 1);
    let event = ReportEvent::Accepted;
    let report = WorkerReport { job: takeover.job, attempt: 1, worker: takeover.worker, event };
    assign.reports.try_send(report).expect("a job that listens");
    let is_stopped = async || takeover.stopped.lock().expect("a lock").contains(&(takeover.job, 1));
    until("the stop of its prompt", is_stopped).await;
}

#[actix::test]
async fn takeover_continues_after_a_restart_of_the_database() {
    let takeover = Takeover::new().await;
    let (_, mut assigned) = takeover.connect().await;
    let lock = takeover.begin().await;
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
               WHERE datname = current_database() AND wait_event_type = 'Lock'";
    sqlx::query(cut).execute(&takeover.core.db).await.expect("a cut");
    lock.rollback().await.expect("the lock is gone");
    takeover.finish(&mut assigned).await;
}

#[actix::test]
async fn node_that_leaves_during_a_takeover_leaves_the_job_to_the_next_owner() {
    let takeover = Takeover::new().await;
    let (connection, _) = takeover.connect().await;
    let lock = takeover.begin().await;
    fleet::leave(&takeover.core).await.expect("it leaves");
    end(&connection).await;
    lock.rollback().await.expect("the lock is gone");
    takeover.is_left().await;
    for _ in 0..3 {
        sweep(&takeover.core, HashSet::new()).await;
    }
    assert_eq!(takeover.found().await, (Status::Running, 1), "a sweep requeued it");
}

#[actix::test]
async fn loss_at_a_node_that_has_left_is_left_to_the_next_owner() {
    let takeover = Takeover::new().await;
    let (_, mut assigned) = takeover.connect().await;
    queue::start(&takeover.core);
    let assign = next(&mut assigned).await;
    fleet::leave(&takeover.core).await.expect("it leaves");
    let event = ReportEvent::Lost { reason: "the connection ended".into() };
    let report = WorkerReport { job: takeover.job, attempt: 1, worker: takeover.worker, event };
    assign.reports.try_send(report).expect("a job that listens");
    takeover.is_left().await;
}

#[actix::test]
async fn job_whose_worker_is_removed_before_it_connects_is_requeued() {
    let takeover = Takeover::new().await;
    let core = &takeover.core;
    queue::start(core);
    let taken = "SELECT count(*) FROM jobs WHERE lease_node IN (SELECT id FROM nodes)";
    until("the takeover", async || core.database.count(taken).await == 1).await;
    fleet::change(core, &Caller::system(), takeover.worker, WorkerAction::Remove).await.expect("a change");
    fleet::factory::report(core, takeover.worker, WorkerState::Gone, None).await;
    until("the job waits again", async || takeover.found().await == (Status::Pending, 1)).await;
}

#[actix::test]
async fn sweep_looks_again_for_a_job_that_another_node_took_over_first() {
    let takeover = Takeover::new().await;
    let core = &takeover.core;
    let mut other = database::begin(&core.db).await.expect("a transaction");
    let first = "UPDATE jobs SET lease_node = gen_random_uuid()";
    sqlx::query(first).execute(&mut *other).await.expect("a takeover");
    let commits = async {
        core.database.wait_for_locks(1).await;
        other.commit().await.expect("a commit");
    };
    let (found, ()) = tokio::join!(sweep(core, HashSet::new()), commits);
    assert!(found.resumed.is_empty(), "{found:?}");
    assert_eq!(fleet::uncleared(core), [takeover.worker], "its prompts could be stopped");
    let found = sweep(core, HashSet::new()).await;
    assert_eq!(found.resumed.iter().map(|resumed| resumed.job.id).collect::<Vec<_>>(), [takeover.job]);
    assert!(fleet::uncleared(core).is_empty());
}

#[actix::test]
async fn node_whose_name_was_taken_still_counts_the_waiting_jobs() {
    let core = stage().await;
    fleet::start(&core.another("test"), &[]).await.expect("a node of the same name");
    TestJob::default().insert(&core).await;
    sweep(&core, HashSet::new()).await;
    assert!(core.queue.waiting().waits("cpu"), "the limits for waiting jobs would use old counts");
}
