//! Likes of workflows and pictures: each by one person once, never by the author, matching the posts' counters.

use sqlx::PgConnection;

use super::Community;
use super::copy::{CopyWriter, Time};
use super::posts::Post;
use super::random::{Draw, Kind, distribute, id};
use crate::error::Result;

/// Percentages of all likes on workflows and on pictures. The others are on comments.
const OF_WORKFLOWS: u64 = 44;
const OF_PICTURES: u64 = 40;
/// The fan likes one of this many published posts.
const FAN_WORKFLOWS: u32 = 6;
const FAN_PICTURES: u32 = 8;

/// The number of likes of each post.
pub(super) struct Likes {
    pub workflows: Vec<u32>,
    pub pictures: Vec<u32>,
}

/// The number of likes on comments.
pub(super) fn of_comments(community: &Community) -> u64 {
    let all = u64::from(community.size.likes);
    all - all * OF_WORKFLOWS / 100 - all * OF_PICTURES / 100
}

impl Likes {
    /// Distributes likes: popular posts get the most.
    pub fn of(community: &Community) -> Self {
        let all = u64::from(community.size.likes);
        let (workflows, pictures) = (community.size.workflows, community.size.pictures);
        Self {
            workflows: distributed(community, all * OF_WORKFLOWS / 100, workflows, FAN_WORKFLOWS, Community::workflow),
            pictures: distributed(community, all * OF_PICTURES / 100, pictures, FAN_PICTURES, Community::picture),
        }
    }
}

fn distributed(
    community: &Community,
    total: u64,
    count: u32,
    fan: u32,
    post: impl Fn(&Community, u32) -> Post,
) -> Vec<u32> {
    let open: Vec<bool> = (0..count).map(|place| !post(community, place).is_private).collect();
    let weights: Vec<f32> = open
        .iter()
        .zip(0..count)
        .map(|(open, place)| if *open { popularity(community.rank(place, count)) } else { 0.0 })
        .collect();
    let fans = |(place, open): (u32, &bool)| u32::from(*open && likes(place, fan));
    let of_fan: Vec<u32> = (0..count).zip(&open).map(fans).collect();
    let others = total.saturating_sub(of_fan.iter().map(|count| u64::from(*count)).sum());
    distribute(others, &weights, community.most_likers())
        .into_iter()
        .zip(of_fan)
        .map(|(one, more)| one + more)
        .collect()
}

/// Whether the fan likes the published post at this position.
fn likes(place: u32, fan: u32) -> bool {
    place % fan == 1
}

/// A weight by rank: the first has some hundred times as much as the last.
#[expect(clippy::cast_possible_truncation, reason = "a weight")]
pub(super) fn popularity(rank: u32) -> f32 {
    (f64::from(rank) + 10.0).powf(-0.6) as f32
}

/// The persons who like a post, with times. The fan comes first.
fn likers(community: &Community, post: Post, count: u32, by_fan: bool) -> impl Iterator<Item = (u32, i64)> {
    let community = *community;
    let first = community.random().roll(Draw::FirstLiker, post.number);
    let fan = by_fan.then(|| community.fan_number());
    let others = count - u32::from(by_fan);
    let people = fan.into_iter().chain((0..others).map(move |place| community.liker(post.author, first, place)));
    people.zip(0_u64..).map(move |(person, place)| {
        let share = community.random().share(Draw::LikedAt, post.number.wrapping_mul(40_009).wrapping_add(place));
        (person, community.after(post.at_us + 3_600_000_000, share))
    })
}

pub(super) async fn fill(community: &Community, all: &Likes, db: &mut PgConnection) -> Result<()> {
    let mut rows = CopyWriter::begin(db, "workflow_likes", "workflow_id, user_id, created_at").await?;
    for (place, count) in (0..).zip(&all.workflows).filter(|(_, count)| **count > 0) {
        let post = community.workflow(place);
        for (person, at_us) in likers(community, post, *count, likes(place, FAN_WORKFLOWS)) {
            rows.row(format_args!("{}\t{}\t{}", post.id, community.person(person), Time(at_us)));
        }
        rows.flow().await?;
    }
    rows.end().await?;
    let mut rows = CopyWriter::begin(db, "output_asset_likes", "user_id, output_asset_id, id, created_at").await?;
    let mut number = 0;
    for (place, count) in (0..).zip(&all.pictures).filter(|(_, count)| **count > 0) {
        let post = community.picture(place);
        for (person, at_us) in likers(community, post, *count, likes(place, FAN_PICTURES)) {
            number += 1;
            let (like, person) = (id(Kind::Like, at_us, number), community.person(person));
            rows.row(format_args!("{person}\t{}\t{like}\t{}", post.id, Time(at_us)));
        }
        rows.flow().await?;
    }
    rows.end().await?;
    Ok(())
}
