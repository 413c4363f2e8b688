//! Posts: workflows with covers and tags, and pictures that jobs made.

use sqlx::PgConnection;
use uuid::Uuid;
use verdigraph_core::workflows::Words;

use super::copy::{Filling, Maybe, Time};
use super::dice::{Draw, Kind, id};
use super::likes::Likes;
use super::people::{ASSET, BLUR, FILE, content};
use super::{Community, STUDIO, words};
use crate::error::Result;

const DAY_US: i64 = 86_400_000_000;
/// Draws of pictures and of workflows are apart.
const PICTURES: u64 = 1 << 32;

/// What both kinds of posts have.
#[derive(Debug, Clone, Copy)]
pub(super) struct Post {
    pub id: Uuid,
    /// The number of its author.
    pub author: u32,
    pub at_us: i64,
    pub is_private: bool,
    pub is_nsfw: bool,
    /// What is drawn for it is drawn with this number.
    pub number: u64,
}

impl Community {
    /// A workflow by its number; the last one is the newest.
    pub(super) fn workflow(&self, number: u32) -> Post {
        self.post(Kind::Workflow, u64::from(number), number, self.size.workflows, 0.15)
    }

    /// A picture by its number; the last one is the newest.
    pub(super) fn picture(&self, number: u32) -> Post {
        self.post(Kind::Picture, PICTURES | u64::from(number), number, self.size.pictures, 0.55)
    }

    fn post(&self, kind: Kind, number: u64, place: u32, count: u32, private: f64) -> Post {
        let first = self.begin_us() + DAY_US * 30;
        let step = (self.now_us() - first - DAY_US) / i64::from(count.max(1));
        let at_us = first + step * i64::from(place);
        let author = if place.is_multiple_of(6) { STUDIO } else { self.author(number) };
        Post {
            id: id(kind, at_us, number),
            author,
            at_us,
            is_private: self.dice().happens(Draw::IsPrivate, number, private),
            is_nsfw: self.dice().happens(Draw::IsNsfw, number, 0.03),
            number,
        }
    }

    /// How popular a post is, from 0, the most: as if shuffled.
    pub(super) fn rank(&self, place: u32, count: u32) -> u32 {
        /// A prime that is no divisor of any count that is in use, so that every rank is given once.
        const STEP: u64 = 1_000_003;
        let rank = (u64::from(place) * STEP + self.seed % 1000) % u64::from(count.max(1));
        u32::try_from(rank).unwrap_or(0)
    }
}

/// The workflow that everybody discusses.
pub(super) fn discussed(community: &Community) -> u32 {
    let is_open = |number: &u32| {
        let post = community.workflow(*number);
        !post.is_private && !post.is_nsfw
    };
    (community.size.workflows / 10..community.size.workflows).find(is_open).unwrap_or(0)
}

/// A tag of the tree that every installation begins with.
#[derive(sqlx::FromRow)]
struct Tag {
    id: Uuid,
    parent_id: Option<Uuid>,
    name: String,
    name_ko: String,
}

/// The tags of a workflow in their order: few are on most, none is there twice.
fn tags<'t>(community: &Community, number: u64, children: &[&'t Tag]) -> Vec<&'t Tag> {
    let count = 1 + community.dice().below(Draw::Size, number, 5);
    let mut chosen: Vec<&Tag> = Vec::new();
    for place in 0..count {
        let share = community.dice().share(Draw::Tags, number * 8 + place);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a place in a short list"
        )]
        let at = (share * share * children.len() as f64) as usize;
        if let Some(tag) = children.get(at).filter(|tag| chosen.iter().all(|known| known.id != tag.id)) {
            chosen.push(tag);
        }
    }
    chosen
}

pub(super) async fn fill_workflows(community: &Community, likes: &Likes, db: &mut PgConnection) -> Result<()> {
    let tree: Vec<Tag> = sqlx::query_as("SELECT id, parent_id, name, name_ko FROM workflow_tags ORDER BY id")
        .fetch_all(&mut *db)
        .await?;
    let children: Vec<&Tag> = tree.iter().filter(|tag| tag.parent_id.is_some()).collect();
    fill_covers(community, db).await?;
    let columns = "id, user_id, name, description, is_private, is_nsfw, cover_asset_id, version, like_count, view_count, \
                   launch_count, created_at, edited_at, published_at, search, search_name";
    let mut workflows = Filling::begin(db, "workflows", columns).await?;
    for (place, likes) in (0..community.size.workflows).zip(&likes.workflows) {
        let Post { id, author, at_us, is_private, is_nsfw, number } = community.workflow(place);
        let (owner, cover, at) = (community.person(author), cover(community, place), Time(at_us));
        let name = words::text(community.dice(), number, 3);
        let length = 12 + community.dice().below(Draw::Length, number, 110);
        let description = words::html(community.dice(), number, length);
        let tags = tags(community, number, &children);
        let parents = tree.iter().filter(|tag| tags.iter().any(|child| child.parent_id == Some(tag.id)));
        let names: Vec<String> =
            tags.iter().copied().chain(parents).flat_map(|tag| [tag.name.clone(), tag.name_ko.clone()]).collect();
        let Words { name: of_name, all } = Words::of([name.as_str()], [description.as_str()], &names);
        let launches = u64::from(*likes) * 3;
        let views = u64::from(*likes) * 11 + community.dice().below(Draw::Views, number, 400);
        let (edited, published) = (Time(at_us + 60_000_000), Maybe((!is_private).then_some(published(at_us))));
        let (is_private, is_nsfw) = (flag(is_private), flag(is_nsfw));
        workflows.row(format_args!(
            "{id}\t{owner}\t{name}\t{description}\t{is_private}\t{is_nsfw}\t{cover}\t1\t{likes}\t{views}\t{launches}\t{at}\t\
             {edited}\t{published}\t{}\t{}",
            all.join(" "),
            of_name.join(" ")
        ));
        workflows.flow().await?;
    }
    workflows.end().await?;
    fill_parts(community, &children, db).await
}

/// When a workflow was published.
fn published(at_us: i64) -> Time {
    Time(at_us + 3_600_000_000)
}

fn flag(value: bool) -> char {
    if value { 't' } else { 'f' }
}

fn cover(community: &Community, place: u32) -> Uuid {
    id(Kind::Cover, community.workflow(place).at_us, u64::from(place))
}

/// Files and assets of covers.
async fn fill_covers(community: &Community, db: &mut PgConnection) -> Result<()> {
    let mut files = Filling::begin(db, "files", FILE).await?;
    for place in 0..community.size.workflows {
        let at = Time(community.workflow(place).at_us);
        let content = content(community, u64::from(place));
        files.row(format_args!("{content}\tPng\t640000\t768\t512\t{BLUR}\t{at}"));
        files.flow().await?;
    }
    files.end().await?;
    let mut assets = Filling::begin(db, "assets", ASSET).await?;
    for place in 0..community.size.workflows {
        let post = community.workflow(place);
        let (id, owner, at) = (cover(community, place), community.person(post.author), Time(post.at_us));
        let (content, is_private) = (content(community, u64::from(place)), flag(post.is_private));
        assets.row(format_args!("{id}\t{owner}\t{content}\tcover.png\tImage\t{is_private}\t{at}"));
        assets.flow().await?;
    }
    assets.end().await?;
    Ok(())
}

/// Graphs, galleries and tags.
async fn fill_parts(community: &Community, children: &[&Tag], db: &mut PgConnection) -> Result<()> {
    let columns = "workflow_id, version, api_prompt, content_hash, created_at";
    let mut versions = Filling::begin(db, "workflow_versions", columns).await?;
    for place in 0..community.size.workflows {
        let Post { id, at_us, number, .. } = community.workflow(place);
        let (at, hash) = (Time(at_us), content(community, number));
        versions.row(format_args!(
            "{id}\t1\t{{\"1\":{{\"class_type\":\"VerdigraphFlowField\",\"inputs\":{{\"seed\":{place}}}}}}}\t{hash}\t{at}"
        ));
        versions.flow().await?;
    }
    versions.end().await?;
    let mut thumbnails = Filling::begin(db, "workflow_thumbnails", "workflow_id, position, asset_id").await?;
    for place in 0..community.size.workflows {
        let id = community.workflow(place).id;
        thumbnails.row(format_args!("{id}\t0\t{}", cover(community, place)));
        thumbnails.flow().await?;
    }
    thumbnails.end().await?;
    let columns = "workflow_id, tag_id, position, is_nsfw, listed_at";
    let mut links = Filling::begin(db, "workflow_tag_links", columns).await?;
    for place in 0..community.size.workflows {
        let Post { id, at_us, is_private, is_nsfw, number, .. } = community.workflow(place);
        let (is_nsfw, listed) = (flag(is_nsfw), Maybe((!is_private).then_some(published(at_us))));
        let chosen = tags(community, number, children);
        for (position, tag) in chosen.iter().enumerate() {
            links.row(format_args!("{id}\t{}\t{position}\t{is_nsfw}\t{listed}", tag.id));
        }
        let mut parents: Vec<Uuid> = chosen.iter().filter_map(|tag| tag.parent_id).collect();
        parents.sort_unstable();
        parents.dedup();
        for parent in parents {
            links.row(format_args!("{id}\t{parent}\t\\N\t{is_nsfw}\t{listed}"));
        }
        links.flow().await?;
    }
    links.end().await?;
    Ok(())
}

pub(super) async fn fill_pictures(community: &Community, likes: &Likes, db: &mut PgConnection) -> Result<()> {
    /// Sizes of pictures that people make.
    const SIDES: [(u32, u32); 5] = [(512, 512), (768, 512), (512, 768), (1024, 1024), (1344, 768)];
    let columns = "id, user_id, job_id, node_id, position, content, media, kind, size_bytes, width, height, is_private, \
                   is_nsfw, like_count, view_count, ran_ms, created_at, expires_at, blur_hash";
    let mut pictures = Filling::begin(db, "output_assets", columns).await?;
    for (place, likes) in (0..community.size.pictures).zip(&likes.pictures) {
        let Post { id, author, at_us, is_private, is_nsfw, number } = community.picture(place);
        let (owner, at) = (community.person(author), Time(at_us));
        // Four outputs of a job, one after the other.
        let position = place % 4;
        let job = job(community, place - position);
        let dice = community.dice();
        let side = usize::try_from(dice.below(Draw::Size, number, 5)).unwrap_or(0);
        let (width, height) = SIDES.get(side).copied().unwrap_or((512, 512));
        let bytes = 200_000 + dice.below(Draw::Length, number, 1_400_000);
        let views = u64::from(*likes) * 9 + dice.below(Draw::Views, number, 60);
        let ran = 2_000 + dice.below(Draw::Told, number, 30_000);
        // Nothing expires while it is looked at.
        let expires = Time(community.now_us() + 400 * DAY_US);
        let content = content(community, number);
        let (is_private, is_nsfw) = (flag(is_private), flag(is_nsfw));
        pictures.row(format_args!(
            "{id}\t{owner}\t{job}\t9\t{position}\t{content}\tPng\tImage\t{bytes}\t{width}\t{height}\t{is_private}\t\
             {is_nsfw}\t{likes}\t{views}\t{ran}\t{at}\t{expires}\t{BLUR}"
        ));
        pictures.flow().await?;
    }
    pictures.end().await?;
    Ok(())
}

/// The job whose first output this is.
fn job(community: &Community, first: u32) -> Uuid {
    id(Kind::Job, community.picture(first).at_us, u64::from(first / 4))
}
