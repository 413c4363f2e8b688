use std::cell::Cell;
use std::rc::Rc;
use std::sync::Mutex;
use std::time::Duration;

use actix::{AsyncContext, Handler, Message};

use super::*;

/// Counts its messages since the last start.
struct Counting {
    watch: Watch,
    starts: Arc<Mutex<u32>>,
    count: u32,
}

/// Panics on request, otherwise returns the number of messages.
#[derive(Message)]
#[rtype(result = "u32")]
struct Count {
    panic: bool,
}

impl Actor for Counting {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        *lock(&self.starts) += 1;
        context.run_interval(Duration::from_secs(3600), |_, _| {});
    }
}

impl Supervised for Counting {
    fn restarting(&mut self, _: &mut Self::Context) {
        self.count = 0;
    }
}

impl Handler<Count> for Counting {
    type Result = u32;

    fn handle(&mut self, count: Count, _: &mut Self::Context) -> u32 {
        self.watch.at("Count");
        assert!(!count.panic, "asked to");
        self.count += 1;
        self.count
    }
}

fn counting(supervisor: &Supervisor) -> (Addr<Counting>, Arc<Mutex<u32>>) {
    let starts = Arc::new(Mutex::new(0));
    let given = Arc::clone(&starts);
    (supervisor.start(Part::Fleet, |watch| Counting { watch, starts: given, count: 0 }), starts)
}

#[actix::test]
async fn restarted_actor_keeps_its_address_and_handles_later_messages() {
    let supervisor = Supervisor::default();
    let (actor, starts) = counting(&supervisor);
    assert_eq!(actor.send(Count { panic: false }).await, Ok(1));
    // Both are in the mailbox: the first is lost, the second is handled after the restart.
    let (lost, kept) = tokio::join!(actor.send(Count { panic: true }), actor.send(Count { panic: false }));
    assert!(lost.is_err(), "the sender gets no error: {lost:?}");
    assert_eq!(kept, Ok(1), "the actor was not restarted");
    assert_eq!(*lock(&starts), 2);
    let troubled = supervisor.troubled();
    let health = PartHealth { part: Part::Fleet, panics: 1, down: 0, last: Some("Count: asked to".into()) };
    assert_eq!(troubled, [health]);
}

#[actix::test]
async fn panicked_actor_without_addresses_is_not_restarted() {
    let supervisor = Supervisor::default();
    let (actor, starts) = counting(&supervisor);
    assert_eq!(actor.send(Count { panic: false }).await, Ok(1));
    let weak = actor.downgrade();
    assert!(actor.try_send(Count { panic: true }).is_ok());
    drop(actor);
    while weak.upgrade().is_some() {
        tokio::task::yield_now().await;
    }
    assert_eq!(*lock(&starts), 1, "it was restarted without an address");
}

struct Brief;

#[derive(Message)]
#[rtype(result = "()")]
struct Fail;

impl Actor for Brief {
    type Context = Context<Self>;
}

impl Handler<Fail> for Brief {
    type Result = ();

    fn handle(&mut self, _: Fail, _: &mut Self::Context) {
        panic!("asked to");
    }
}

#[actix::test]
async fn panic_of_an_actor_without_restarts_is_reported_to_its_parent() {
    let supervisor = Supervisor::default();
    let heard = Rc::new(Cell::new(false));
    let told = Rc::clone(&heard);
    let actor = supervisor.start_once(Part::Job, |_| Brief, move || told.set(true));
    assert!(actor.send(Fail).await.is_err(), "the sender gets no error");
    while actor.connected() {
        tokio::task::yield_now().await;
    }
    assert!(heard.get());
    assert_eq!(supervisor.troubled().first().map(|health| health.part), Some(Part::Job));
}

#[actix::test]
async fn loop_is_restarted_after_panics_and_ends_when_it_returns() {
    let supervisor = Supervisor::default();
    let (ended, has_ended) = tokio::sync::oneshot::channel::<()>();
    let (mut ended, mut round) = (Some(ended), 0);
    supervisor.keep(Part::Mail, move |watch| {
        round += 1;
        let (round, ended) = (round, if round == 3 { ended.take() } else { None });
        async move {
            watch.at("round");
            assert!(round == 3, "round {round}");
            drop(ended);
        }
    });
    assert!(has_ended.await.is_err(), "the third round has ended");
    let [health] = supervisor.troubled().try_into().expect("one part");
    assert_eq!((health.panics, health.down), (2, 0));
    assert_eq!(health.last.as_deref(), Some("round: round 2"));
}

#[actix::test]
async fn planned_fault_panics_at_its_point() {
    let supervisor = Supervisor::default();
    let (actor, starts) = counting(&supervisor);
    assert_eq!(actor.send(Count { panic: false }).await, Ok(1));
    assert_eq!(supervisor.faults().seen(), [("fleet", "Count")]);
    supervisor.faults().plan(Part::Fleet, "Count", 1);
    assert!(actor.send(Count { panic: false }).await.is_err());
    assert!(supervisor.faults().all_triggered());
    assert_eq!(actor.send(Count { panic: false }).await, Ok(1));
    assert_eq!(*lock(&starts), 2);
}

/// Records whether it was dropped within a runtime.
struct DropProbe(Arc<Mutex<Option<bool>>>);

impl Drop for DropProbe {
    fn drop(&mut self) {
        *lock(&self.0) = Some(tokio::runtime::Handle::try_current().is_ok());
    }
}

/// Whether the value is dropped within the runtime when its thread ends.
fn dropped_within(begin: impl FnOnce(DropProbe)) -> Option<bool> {
    let within = Arc::new(Mutex::new(None));
    let thread = actix_rt::System::new();
    thread.block_on(async {
        begin(DropProbe(Arc::clone(&within)));
        // Starts the task before the end of the thread.
        tokio::task::yield_now().await;
    });
    drop(thread);
    *lock(&within)
}

#[test]
fn values_of_a_part_are_dropped_within_the_runtime_when_the_thread_ends() {
    let kept = |value: DropProbe| {
        let held = Cell::new(Some(value));
        Supervisor::default().keep(Part::Fleet, move |_| {
            let value = held.take();
            async move {
                let _value = value;
                std::future::pending().await
            }
        });
    };
    assert_eq!(dropped_within(kept), Some(true), "a loop");
    let task = |value: DropProbe| {
        drop(spawn(async move {
            let _value = value;
            std::future::pending::<()>().await;
        }));
    };
    assert_eq!(dropped_within(task), Some(true), "a task");
}
