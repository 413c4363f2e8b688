use super::*;

fn progress(value: f64) -> JobEvent {
    JobEvent::Progress(JobProgress {
        node_id: "1".into(),
        node_title: "Blur".into(),
        node_class: "ImageBlur".into(),
        value,
        max: 10.0,
        nodes_done: 0,
        nodes_total: 2,
    })
}

#[test]
fn reconnected_client_gets_the_missed_events() {
    let (bus, job, now) = (EventBus::default(), JobId::new(), Utc::now());
    let first = first_id_at(now);
    bus.publish(job, JobEvent::Status(Status::Running), now);
    bus.publish(job, progress(1.0), now);
    bus.publish(job, progress(2.0), now);
    let missed = bus.subscribe(job, Some(first)).missed;
    assert_eq!(missed, [(first + 1, progress(1.0)), (first + 2, progress(2.0))]);
}

#[test]
fn client_that_missed_too_many_events_gets_the_latest_progress() {
    let (bus, job, now) = (EventBus::default(), JobId::new(), Utc::now());
    for step in 0..200 {
        bus.publish(job, progress(f64::from(step)), now);
    }
    let latest = first_id_at(now) + 199;
    assert_eq!(bus.subscribe(job, Some(first_id_at(now) + 3)).missed, [(latest, progress(199.0))]);
}

#[test]
fn row_that_is_older_than_the_latest_event_is_ignored() {
    let (bus, job, now) = (EventBus::default(), JobId::new(), Utc::now());
    let mut live = bus.subscribe(job, None).live;
    bus.note_status(job, Status::Pending);
    let before = bus.listened()[0];
    bus.publish(job, JobEvent::Status(Status::Running), now);
    bus.correct(before, Status::Connecting, now);
    assert_eq!(live.try_recv().expect("an event").1, JobEvent::Status(Status::Running));
    assert!(live.try_recv().is_err(), "an old status was published after a new one");
    bus.correct(bus.listened()[0], Status::Done, now);
    assert_eq!(live.try_recv().expect("an event").1, JobEvent::Status(Status::Done));
    drop(live);
    bus.sweep(now + Duration::seconds(90));
    assert!(bus.lock().is_empty(), "a job that ran elsewhere leaves its topic behind");
}

#[test]
fn position_is_published_only_when_it_changes() {
    let (bus, job) = (EventBus::default(), JobId::new());
    let mut live = bus.subscribe(job, None).live;
    bus.note_status(job, Status::Pending);
    let position = QueuePosition { position: 3, eta_seconds: Some((1, 2)) };
    bus.publish_position(job, position);
    bus.publish_position(job, position);
    assert_eq!(live.try_recv().expect("an event").1, JobEvent::Position(position));
    assert!(live.try_recv().is_err(), "the same position was published twice");
}

#[test]
fn topic_exists_as_long_as_the_job_and_a_minute_longer_for_listeners() {
    let (bus, job, now) = (EventBus::default(), JobId::new(), Utc::now());
    bus.publish(job, JobEvent::Status(Status::Running), now);
    bus.sweep(now + Duration::hours(1));
    assert_eq!(bus.lock().len(), 1, "a job in flight keeps its topic");
    let listener = bus.subscribe(job, None);
    bus.publish(job, JobEvent::Status(Status::Done), now);
    drop(listener);
    bus.sweep(now + Duration::seconds(30));
    assert_eq!(bus.lock().len(), 1);
    bus.sweep(now + Duration::seconds(90));
    assert!(bus.lock().is_empty());
}

#[test]
fn ended_job_without_listeners_leaves_no_topic() {
    let (bus, job, now) = (EventBus::default(), JobId::new(), Utc::now());
    bus.publish(job, JobEvent::Status(Status::Running), now);
    bus.publish(job, progress(1.0), now);
    bus.publish(job, JobEvent::Status(Status::Done), now);
    assert!(bus.lock().is_empty());
}
