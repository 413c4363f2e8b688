use std::collections::HashSet;
use std::time::Duration;

use sqlx::Connection as _;

use super::numbering::number_all;
use super::*;
use crate::database;
use crate::ids::{JobId, UserId};
use crate::testing::TestCore;
use crate::{Caller, Code, Error};

fn event(user: UserId, kind: EventKind, core: &TestCore) -> NewEvent {
    let about = EventSubject { job: Some(JobId::new()), ..EventSubject::default() };
    NewEvent { kind, user, about, data: "{}".to_owned(), at: core.clock.now() }
}

async fn write_one(core: &TestCore, user: UserId, kind: EventKind) -> NewEvent {
    let new = event(user, kind, core);
    write(&mut core.db.acquire().await.expect("a connection"), std::slice::from_ref(&new)).await.expect("a write");
    new
}

async fn read(core: &TestCore, user: UserId, after: FeedPosition, limit: i64) -> FeedPage {
    feed(core, &Caller::customer(user), after, &[], limit).await.expect("a page")
}

fn jobs(page: &FeedPage) -> Vec<JobId> {
    page.items.iter().map(|event| event.about.job.expect("a job")).collect()
}

#[actix::test]
async fn late_commit_gets_a_later_position() {
    let core = TestCore::new().await;
    let user = UserId::new();
    let mut late = database::begin(&core.db).await.expect("a transaction");
    let first = event(user, EventKind::JobCreated, &core);
    write(&mut late, std::slice::from_ref(&first)).await.expect("a write");
    let second = write_one(&core, user, EventKind::JobCreated).await;
    number_all(&core).await.expect("a round");
    let page = read(&core, user, FeedPosition::Oldest, 10).await;
    assert_eq!(jobs(&page), [second.about.job.expect("a job")], "an uncommitted event is visible");
    late.commit().await.expect("a commit");
    number_all(&core).await.expect("a round");
    let next = read(&core, user, FeedPosition::After(page.next), 10).await;
    assert_eq!(jobs(&next), [first.about.job.expect("a job")], "a late commit was skipped");
    let none = read(&core, user, FeedPosition::After(next.next), 10).await;
    assert!(none.items.is_empty() && none.next == next.next);
}

#[actix::test]
async fn concurrent_writers_and_numberers_show_each_event_once() {
    const EACH: usize = 60;
    let core = TestCore::new().await;
    let user = UserId::new();
    let writer = async |number: usize| {
        let mut written = Vec::new();
        for turn in 0..EACH {
            let mut tx = database::begin(&core.db).await.expect("a transaction");
            let some: Vec<_> = (0..=turn % 3).map(|_| event(user, EventKind::JobCreated, &core)).collect();
            write(&mut tx, &some).await.expect("a write");
            if (turn + number).is_multiple_of(4) {
                tokio::time::sleep(Duration::from_millis(3)).await;
            }
            if (turn + number).is_multiple_of(7) {
                tx.rollback().await.expect("a rollback");
                continue;
            }
            tx.commit().await.expect("a commit");
            written.extend(some.iter().map(|event| event.about.job.expect("a job")));
        }
        written
    };
    let numberer = async || {
        for _ in 0..200 {
            number_all(&core).await.expect("a round");
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    let reader = async || {
        let (mut after, mut seen) = (0, Vec::new());
        let mut empty = 0;
        while empty < 40 {
            let page = read(&core, user, FeedPosition::After(after), 7).await;
            assert!(page.items.is_sorted_by(|one, next| one.position < next.position));
            empty = if page.items.is_empty() { empty + 1 } else { 0 };
            seen.extend(jobs(&page));
            after = page.next;
            tokio::time::sleep(Duration::from_millis(3)).await;
        }
        seen
    };
    let (one, two, three, (), (), _) = tokio::join!(writer(0), writer(1), writer(2), numberer(), numberer(), reader());
    number_all(&core).await.expect("a round");
    let (mut after, mut seen) = (0, Vec::new());
    loop {
        let page = read(&core, user, FeedPosition::After(after), 50).await;
        if page.items.is_empty() {
            break;
        }
        seen.extend(jobs(&page));
        after = page.next;
    }
    let written: HashSet<JobId> = [one, two, three].concat().into_iter().collect();
    assert_eq!(seen.len(), written.len(), "an event was lost or repeated");
    assert_eq!(seen.into_iter().collect::<HashSet<_>>(), written);
    let (last, _) = store::head(&core.db).await.expect("a head");
    assert_eq!(usize::try_from(last).expect("a count"), written.len(), "positions have gaps");
}

#[actix::test]
async fn feed_shows_only_the_callers_events_of_the_requested_kinds() {
    let core = TestCore::new().await;
    let (user, other) = (UserId::new(), UserId::new());
    for (whose, kind) in [
        (user, EventKind::JobCreated),
        (other, EventKind::JobDone),
        (user, EventKind::JobStarted),
        (user, EventKind::JobDone),
        (other, EventKind::JobDone),
    ] {
        write_one(&core, whose, kind).await;
    }
    number_all(&core).await.expect("a round");
    let kinds = |page: &FeedPage| page.items.iter().map(|event| event.kind).collect::<Vec<_>>();
    let all = read(&core, user, FeedPosition::Oldest, 10).await;
    assert_eq!(kinds(&all), [EventKind::JobCreated, EventKind::JobStarted, EventKind::JobDone]);
    let them = Caller::customer(user);
    let done = feed(&core, &them, FeedPosition::Oldest, &[EventKind::JobDone], 10).await.expect("a page");
    assert_eq!(kinds(&done), [EventKind::JobDone]);
    assert_eq!(done.next, all.next, "the cursor must pass events of other kinds");
    let first = read(&core, user, FeedPosition::Oldest, 1).await;
    assert_eq!(kinds(&read(&core, user, FeedPosition::After(first.next), 10).await), kinds(&all)[1..]);
    assert!(read(&core, user, FeedPosition::Latest, 10).await.items.is_empty());
    for (limit, after) in [(0, FeedPosition::Oldest), (MAX_PAGE + 1, FeedPosition::Oldest)] {
        assert!(matches!(feed(&core, &them, after, &[], limit).await, Err(Error::Invalid { .. })), "{limit}");
    }
    assert!(matches!(feed(&core, &Caller::guest(), FeedPosition::Oldest, &[], 1).await, Err(Error::LoginRequired)));
    let ahead = feed(&core, &them, FeedPosition::After(all.next + 1), &[], 1).await;
    assert!(matches!(ahead, Err(Error::Refused { code: Code::EventsCursorAhead, .. })));
    for word in ["", "-1", "x", "1.5", "99999999999999999999", "00000000000000000001"] {
        assert!(word.parse::<FeedPosition>().is_err(), "{word}");
    }
}

#[actix::test]
async fn waiting_reader_wakes_for_its_own_events_only() {
    let core = TestCore::new().await;
    let (user, other) = (UserId::new(), UserId::new());
    let them = Caller::customer(user);
    let last = FeedPosition::After(read(&core, user, FeedPosition::Latest, 1).await.next);
    let waiting = wait(&core, &them, last, &[], 10, Duration::from_secs(20));
    let happens = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        write_one(&core, other, EventKind::JobDone).await;
        number_all(&core).await.expect("a round");
        tokio::time::sleep(Duration::from_millis(50)).await;
        let new = write_one(&core, user, EventKind::JobDone).await;
        number_all(&core).await.expect("a round");
        new
    };
    let began = tokio::time::Instant::now();
    let (page, new) = tokio::join!(waiting, happens);
    assert_eq!(jobs(&page.expect("a page")), [new.about.job.expect("a job")]);
    assert!(began.elapsed() < Duration::from_secs(4), "the message was lost: the reader found the row by polling");
    let none = wait(&core, &them, FeedPosition::Latest, &[], 10, Duration::from_millis(50)).await.expect("a page");
    assert!(none.items.is_empty());
}

#[actix::test]
async fn expired_months_are_dropped_and_older_cursors_are_refused() {
    let core = TestCore::new().await;
    let user = UserId::new();
    maintain_months(&core).await.expect("a round");
    let now = LOG.now(&core.db).await.expect("a time");
    let old = Month::of(now).earlier(3);
    LOG.make(&core.db, old).await.expect("a month");
    let put = async |position: i64, id: uuid::Uuid| {
        sqlx::query(
            "INSERT INTO events (position, created_at, id, user_id, kind, data) VALUES ($1, now(), $2, $3, 2, '{}')",
        )
        .bind(position)
        .bind(id)
        .bind(user.0)
        .execute(&core.db)
        .await
        .expect("an event");
    };
    put(1, old.min_id()).await;
    put(2, Month::of(now).earlier(30).min_id()).await;
    put(3, crate::ids::EventId::new().0).await;
    sqlx::query("UPDATE events_head SET last = 3").execute(&core.db).await.expect("a head");
    assert_eq!(maintain_months(&core).await.expect("a round"), 2, "a month, and an event that had none");
    let page = read(&core, user, FeedPosition::Oldest, 10).await;
    assert_eq!(page.items.iter().map(|event| event.position).collect::<Vec<_>>(), [3]);
    let gone = feed(&core, &Caller::customer(user), FeedPosition::After(1), &[], 10).await;
    assert!(matches!(gone, Err(Error::Refused { code: Code::EventsForgotten, .. })));
    assert!(read(&core, user, FeedPosition::After(2), 10).await.items.len() == 1, "nothing after it is dropped");
    assert_eq!(maintain_months(&core).await.expect("a round"), 0);
}

#[actix::test]
async fn numbering_waits_for_the_other_node_and_continues_its_positions() {
    let core = TestCore::new().await;
    let user = UserId::new();
    let mut other = core.db.acquire().await.expect("a connection").detach();
    let mut tx = other.begin().await.expect("a transaction");
    let last = store::lock_head(&mut tx).await.expect("the head");
    write_one(&core, user, EventKind::JobCreated).await;
    let number = number_all(&core);
    let finish = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let numbered = store::number(&mut tx, last, 10).await.expect("a round");
        assert_eq!(numbered.count, 1);
        tx.commit().await.expect("a commit");
        write_one(&core, user, EventKind::JobStarted).await;
    };
    let (numbered, ()) = tokio::join!(number, finish);
    number_all(&core).await.expect("a round");
    numbered.expect("a round");
    let page = read(&core, user, FeedPosition::Oldest, 10).await;
    assert_eq!(page.items.iter().map(|event| event.position).collect::<Vec<_>>(), [1, 2], "a position was used twice");
}
