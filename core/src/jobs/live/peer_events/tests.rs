use super::*;
use crate::jobs::live::events::LEASE_TTL;
use crate::testing::TestCore;

fn preview(content_type: &'static str) -> JobEvent {
    let bytes = Bytes::from_static(b"\n\0{\"picture\"}\n");
    JobEvent::Preview(Preview { node_id: Some("7".to_owned()), content_type, bytes })
}

fn message() -> JobEvent {
    let body = Bytes::from_static(b"\n{\"node\":\"3\"}\n");
    JobEvent::Client(ClientMessage { kind: "executed".to_owned(), retention: Retention::Kept, body })
}

fn progress() -> JobEvent {
    JobEvent::Progress(JobProgress {
        node_id: "3".to_owned(),
        node_title: "a \"title\"\nof two lines".to_owned(),
        node_class: "KSampler".to_owned(),
        value: 0.1 + 0.2,
        max: 20.0,
        nodes_done: 1,
        nodes_total: 9,
    })
}

#[test]
fn decoded_event_equals_the_encoded_one() {
    let (to, from, job) = (NodeId::new(), NodeId::new(), JobId::new());
    for event in [JobEvent::Status(Status::Done), progress(), preview(PNG), preview(JPEG), message()] {
        let entry = OutboxEntry { to, job, attempt: 2, id: 1 << 50, event: event.clone() };
        let sent = entry.encode(from).expect("a message");
        assert_eq!(decode(&sent), Some(ReceivedEvent { job, from: (from, 2), id: 1 << 50, event }));
    }
    assert_eq!(decode(&Bytes::from_static(b"garbage")), None);
    assert_eq!(decode(&Bytes::from_static(b"{}\n")), None);
}

#[actix::test]
async fn only_events_of_the_lease_holder_are_published() {
    let core = TestCore::new().await;
    let (job, holder) = (JobId::new(), NodeId::new());
    sqlx::query(
        "INSERT INTO jobs (id, user_id, status, lane, pool, needs, vstart, attempt, lease_node, prompt_hash, rate,
                           max_run_ms, estimate_ms, created_at)
         VALUES ($1, $1, 3, 0, 'cpu', 'blur', 0, 2, $2, 'p', 1, 600000, 1000, $3)",
    )
    .bind(job.0)
    .bind(holder.0)
    .bind(core.clock.now())
    .execute(&core.db)
    .await
    .expect("a job that another node runs");
    let mut live = core.queue.events().subscribe(job, None).live;
    let arrives = async |from, event: JobEvent| {
        core.clock.advance(chrono::Duration::seconds(1));
        handle_event(&core, ReceivedEvent { job, from, id: 7, event }).await;
    };
    for event in [preview(PNG), progress(), JobEvent::Status(Status::Done)] {
        for forged in [(NodeId::new(), 2), (holder, 1), (holder, 3)] {
            arrives(forged, event.clone()).await;
        }
    }
    arrives((holder, 2), JobEvent::Status(Status::Canceled)).await;
    assert!(live.try_recv().is_err(), "an event of another node than the lease holder was published");
    for event in [JobEvent::Status(Status::Running), progress(), preview(PNG)] {
        arrives((holder, 2), event.clone()).await;
        assert_eq!(live.try_recv().expect("an event of the job's node").1, event);
    }
    sqlx::query("UPDATE jobs SET attempt = 3").execute(&core.db).await.expect("the next attempt");
    core.clock.advance(LEASE_TTL);
    arrives((holder, 2), preview(PNG)).await;
    assert!(live.try_recv().is_err(), "a preview of an earlier attempt was published");
}
