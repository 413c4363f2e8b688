use std::cell::Cell;
use std::rc::Rc;
use std::sync::Mutex;
use std::time::Duration;

use actix::{AsyncContext, Handler, Message};

use super::*;

/// Counts what it hears since it was started last.
struct Counting {
    watch: Watch,
    starts: Arc<Mutex<u32>>,
    heard: u32,
}

/// Panics where it is asked to; else answers how many it has heard.
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
        self.heard = 0;
    }
}

impl Handler<Count> for Counting {
    type Result = u32;

    fn handle(&mut self, count: Count, _: &mut Self::Context) -> u32 {
        self.watch.at("Count");
        assert!(!count.panic, "asked to");
        self.heard += 1;
        self.heard
    }
}

fn counting(supervisor: &Supervisor) -> (Addr<Counting>, Arc<Mutex<u32>>) {
    let starts = Arc::new(Mutex::new(0));
    let given = Arc::clone(&starts);
    (supervisor.start(Part::Fleet, |watch| Counting { watch, starts: given, heard: 0 }), starts)
}

#[actix::test]
async fn an_actor_that_panics_keeps_its_address_and_answers_what_came_after() {
    let supervisor = Supervisor::default();
    let (actor, starts) = counting(&supervisor);
    assert_eq!(actor.send(Count { panic: false }).await, Ok(1));
    // In the mailbox together: the first is lost, the second waits until the actor is up again.
    let (lost, kept) = tokio::join!(actor.send(Count { panic: true }), actor.send(Count { panic: false }));
    assert!(lost.is_err(), "nobody waits for ever: {lost:?}");
    assert_eq!(kept, Ok(1), "it begins anew");
    assert_eq!(*lock(&starts), 2);
    let troubled = supervisor.troubled();
    let health = Health { part: Part::Fleet, panics: 1, down: 0, last: Some("Count: asked to".into()) };
    assert_eq!(troubled, [health]);
}

#[actix::test]
async fn an_actor_that_nobody_knows_any_more_ends() {
    let supervisor = Supervisor::default();
    let (actor, starts) = counting(&supervisor);
    assert_eq!(actor.send(Count { panic: false }).await, Ok(1));
    let weak = actor.downgrade();
    assert!(actor.try_send(Count { panic: true }).is_ok());
    drop(actor);
    while weak.upgrade().is_some() {
        tokio::task::yield_now().await;
    }
    assert_eq!(*lock(&starts), 1, "it is not started for nobody");
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
async fn who_starts_an_actor_that_lives_once_hears_of_its_panic() {
    let supervisor = Supervisor::default();
    let heard = Rc::new(Cell::new(false));
    let told = Rc::clone(&heard);
    let actor = supervisor.start_once(Part::Job, |_| Brief, move || told.set(true));
    assert!(actor.send(Fail).await.is_err(), "nobody waits for ever");
    while actor.connected() {
        tokio::task::yield_now().await;
    }
    assert!(heard.get());
    assert_eq!(supervisor.troubled().first().map(|health| health.part), Some(Part::Job));
}

#[actix::test]
async fn a_loop_that_panics_begins_again_and_ends_when_it_returns() {
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
async fn a_test_can_make_a_part_panic_where_it_was_seen() {
    let supervisor = Supervisor::default();
    let (actor, starts) = counting(&supervisor);
    assert_eq!(actor.send(Count { panic: false }).await, Ok(1));
    assert_eq!(supervisor.faults().seen(), [("fleet", "Count")]);
    supervisor.faults().plan(Part::Fleet, "Count", 1);
    assert!(actor.send(Count { panic: false }).await.is_err());
    assert!(supervisor.faults().came());
    assert_eq!(actor.send(Count { panic: false }).await, Ok(1));
    assert_eq!(*lock(&starts), 2);
}

/// Says whether it was dropped within a runtime.
struct Lent(Arc<Mutex<Option<bool>>>);

impl Drop for Lent {
    fn drop(&mut self) {
        *lock(&self.0) = Some(tokio::runtime::Handle::try_current().is_ok());
    }
}

/// What a connection to the database asks for when it is given back.
fn dropped_within(begin: impl FnOnce(Lent)) -> Option<bool> {
    let within = Arc::new(Mutex::new(None));
    let thread = actix_rt::System::new();
    thread.block_on(async {
        begin(Lent(Arc::clone(&within)));
        // It has begun when its thread ends.
        tokio::task::yield_now().await;
    });
    drop(thread);
    *lock(&within)
}

#[test]
fn what_a_part_holds_when_its_thread_ends_is_given_back_within_the_runtime() {
    let kept = |lent: Lent| {
        let held = Cell::new(Some(lent));
        Supervisor::default().keep(Part::Fleet, move |_| {
            let lent = held.take();
            async move {
                let _lent = lent;
                std::future::pending().await
            }
        });
    };
    assert_eq!(dropped_within(kept), Some(true), "a loop");
    let task = |lent: Lent| {
        drop(spawn(async move {
            let _lent = lent;
            std::future::pending::<()>().await;
        }));
    };
    assert_eq!(dropped_within(task), Some(true), "a task");
}
