//! Notifications: comments and likes on users' posts and operators' notices, with numbered positions.

use sqlx::PgConnection;
use uuid::Uuid;

use super::copy::{CopyWriter, Nullable, Time};
use super::random::{Draw, Kind, distribute, id};
use super::{Community, READER, likes, texts};
use crate::error::Result;

/// Notices that every user has.
const NOTICES: u32 = 12;
const DAY_US: i64 = 86_400_000_000;
/// Kinds as core numbers them.
const COMMENT: i16 = 1;
const LIKE: i16 = 2;
const NOTICE: i16 = 3;
const OTHERS: i16 = 5;

/// The number of notifications of each person.
fn totals(community: &Community) -> Vec<u32> {
    let size = community.size;
    let fullest = size.notifications / 6;
    let notices = u64::from(NOTICES) * u64::from(size.people);
    let weight = |person: u32| if person == READER { 0.0 } else { likes::popularity(person) };
    let weights: Vec<f32> = (0..size.people).map(weight).collect();
    let others = u64::from(size.notifications).saturating_sub(notices + u64::from(fullest - NOTICES.min(fullest)));
    let mut totals: Vec<u32> = distribute(others, &weights, fullest).into_iter().map(|count| count + NOTICES).collect();
    if let Some(total) = usize::try_from(READER).ok().and_then(|place| totals.get_mut(place)) {
        *total = fullest.max(NOTICES);
    }
    totals
}

fn notice(community: &Community, number: u32) -> (Uuid, i64) {
    let at_us = community.begin_us() + DAY_US + i64::from(number) * DAY_US;
    (id(Kind::Notice, at_us, u64::from(number)), at_us)
}

/// The kind of the notification at a position. Notices come first.
fn kind(community: &Community, draw: u64, place: u32) -> i16 {
    if place <= NOTICES {
        return NOTICE;
    }
    match community.random().below(Draw::Notified, draw, 20) {
        0..8 => COMMENT,
        8..18 => LIKE,
        _ => OTHERS,
    }
}

fn draw(person: u32, place: u32) -> u64 {
    (u64::from(person) << 24) | u64::from(place)
}

pub(super) async fn fill(community: &Community, db: &mut PgConnection) -> Result<()> {
    let totals = totals(community);
    fill_notices(community, db).await?;
    fill_notifications(community, &totals, db).await?;
    let mut boxes = CopyWriter::begin(db, "notification_boxes", "user_id, kind, total").await?;
    for (person, total) in (0..).zip(&totals) {
        let owner = community.person(person);
        let mut counts = std::collections::BTreeMap::from([(0, *total)]);
        for place in 1..=*total {
            *counts.entry(kind(community, draw(person, place), place)).or_default() += 1;
        }
        for (kind, count) in counts {
            boxes.row(format_args!("{owner}\t{kind}\t{count}"));
        }
        boxes.flow().await?;
    }
    boxes.end().await?;
    Ok(())
}

async fn fill_notices(community: &Community, db: &mut PgConnection) -> Result<()> {
    let columns = "id, title_en, title_ko, content_en, content_ko, created_by, created_at";
    let mut notices = CopyWriter::begin(db, "notices", columns).await?;
    for number in 0..NOTICES {
        let ((id, at_us), by) = (notice(community, number), community.studio());
        let content = texts::html(community.random(), u64::from(number), 25);
        let at = Time(at_us);
        notices.row(format_args!("{id}\tNotice {number}\t공지 {number}\t{content}\t{content}\t{by}\t{at}"));
    }
    notices.end().await?;
    let (last, _) = notice(community, NOTICES - 1);
    let mut settings = CopyWriter::begin(db, "notification_settings", "user_id, notices_until").await?;
    for person in 0..community.size.people {
        settings.row(format_args!("{}\t{last}", community.person(person)));
        settings.flow().await?;
    }
    settings.end().await?;
    Ok(())
}

async fn fill_notifications(community: &Community, totals: &[u32], db: &mut PgConnection) -> Result<()> {
    let columns = "id, user_id, kind, place, kind_place, actor_id, workflow_id, output_asset_id, title, count, recomment, \
                   content, others, notice_id, once, created_at, checked_at";
    let mut rows = CopyWriter::begin(db, "notifications", columns).await?;
    let mut number = 0;
    for (person, total) in (0..).zip(totals) {
        let owner = community.person(person);
        let unread = if person == READER { 1500 } else { total / 20 };
        let mut of_kind = [0_u32; 6];
        for place in 1..=*total {
            let told = NotificationRow::new(community, person, place, *total);
            let NotificationRow {
                kind,
                actor,
                workflow,
                picture,
                title,
                count,
                is_answer,
                content,
                others,
                notice,
                once,
                at_us,
            } = told;
            let kind_place = usize::try_from(kind).ok().and_then(|kind| of_kind.get_mut(kind)).map_or(0, |places| {
                *places += 1;
                *places
            });
            number += 1;
            let (id, at) = (id(Kind::Notification, at_us, number), Time(at_us));
            let checked = Nullable((place + unread <= *total).then_some(Time(at_us + 1_000_000)));
            let is_answer = if is_answer { 't' } else { 'f' };
            let (actor, workflow, picture, title) =
                (Nullable(actor), Nullable(workflow), Nullable(picture), Nullable(title));
            let (count, content, others) = (Nullable(count), Nullable(content), Nullable(others));
            let (notice, once) = (Nullable(notice), Nullable(once));
            rows.row(format_args!(
                "{id}\t{owner}\t{kind}\t{place}\t{kind_place}\t{actor}\t{workflow}\t{picture}\t{title}\t{count}\t{is_answer}\t\
                 {content}\t{others}\t{notice}\t{once}\t{at}\t{checked}"
            ));
        }
        rows.flow().await?;
    }
    rows.end().await?;
    Ok(())
}

/// One notification of a person.
#[derive(Default)]
struct NotificationRow {
    kind: i16,
    actor: Option<Uuid>,
    workflow: Option<Uuid>,
    picture: Option<Uuid>,
    title: Option<String>,
    count: Option<u64>,
    is_answer: bool,
    content: Option<String>,
    others: Option<i16>,
    notice: Option<Uuid>,
    once: Option<String>,
    at_us: i64,
}

impl NotificationRow {
    fn new(community: &Community, person: u32, place: u32, total: u32) -> Self {
        let random = community.random();
        let draw = draw(person, place);
        let kind = kind(community, draw, place);
        if kind == NOTICE {
            let (id, at_us) = notice(community, place - 1);
            let (actor, once) = (Some(community.studio()), Some(format!("notice:{id}")));
            return Self { kind, actor, notice: Some(id), once, at_us, ..Self::default() };
        }
        let first = notice(community, NOTICES).1;
        let at_us = community.after(first, f64::from(place) / f64::from(total + 1));
        // A combination of post and person that is unique within this person's notifications.
        let others = community.most_likers().max(1);
        let actor = community.liker(person, random.roll(Draw::FirstLiker, u64::from(person)), place % others);
        let round = place / others;
        let mut told = Self { kind, at_us, actor: Some(community.person(actor)), ..Self::default() };
        let post = if place.is_multiple_of(2) {
            let post = community.picture((person * 31 + round) % community.size.pictures).id;
            told.picture = Some(post);
            post
        } else {
            let post = community.workflow((person * 31 + round) % community.size.workflows);
            told.workflow = Some(post.id);
            told.title = Some(texts::text(random, post.number, 3));
            post.id
        };
        match kind {
            COMMENT => {
                told.is_answer = random.happens(Draw::Answers, draw, 0.3);
                told.content = Some(texts::text(random, draw, 12));
            }
            LIKE => told.once = told.actor.map(|actor| format!("like:{post}:{actor}")),
            _ => {
                let count = 10_u64.pow(u32::try_from(random.below(Draw::Size, draw, 5)).unwrap_or(0) + 1);
                told.actor = None;
                told.count = Some(count);
                told.others = Some(1 + i16::try_from(random.below(Draw::Views, draw, 3)).unwrap_or(0));
            }
        }
        told
    }
}
