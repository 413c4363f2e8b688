//! Posts: workflows with covers and tags, and pictures of jobs.

use sqlx::PgConnection;
use uuid::Uuid;
use verdigraph_core::workflows::SearchWords;

use super::copy::{CopyWriter, Nullable, Time};
use super::likes::Likes;
use super::people::{ASSET, BLUR, FILE, content};
use super::random::{Draw, Kind, id};
use super::{Community, STUDIO, texts};
use crate::error::Result;

const DAY_US: i64 = 86_400_000_000;
/// Separates random choices of pictures from those of workflows.
const PICTURES: u64 = 1 << 32;

/// Common properties of posts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Post {
    pub id: Uuid,
    pub author: u32,
    pub at_us: i64,
    pub is_private: bool,
    pub is_nsfw: bool,
    /// The number for its random choices.
    pub number: u64,
}

impl Community {
    /// A workflow by number. The last one is the newest.
    pub(super) fn workflow(&self, number: u32) -> Post {
        self.post(Kind::Workflow, u64::from(number), number, self.size.workflows, 0.15)
    }

    /// A picture by number. The last one is the newest.
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
            is_private: self.random().happens(Draw::IsPrivate, number, private),
            is_nsfw: self.random().happens(Draw::IsNsfw, number, 0.03),
            number,
        }
    }

    /// The popularity of a post: 0 is the most popular. Shuffled.
    pub(super) fn rank(&self, place: u32, count: u32) -> u32 {
        /// A prime that divides no count in use, so that every rank is used once.
        const STEP: u64 = 1_000_003;
        let rank = (u64::from(place) * STEP + self.seed % 1000) % u64::from(count.max(1));
        u32::try_from(rank).unwrap_or(0)
    }
}

/// The number of the most discussed workflow.
pub(super) fn discussed(community: &Community) -> u32 {
    let is_open = |number: &u32| {
        let post = community.workflow(*number);
        !post.is_private && !post.is_nsfw
    };
    (community.size.workflows / 10..community.size.workflows).find(is_open).unwrap_or(0)
}

/// A tag of the default tree.
#[derive(sqlx::FromRow)]
struct Tag {
    id: Uuid,
    parent_id: Option<Uuid>,
    name: String,
    name_ko: String,
}

/// The distinct tags of a workflow in order. Few tags are on most workflows.
fn tags<'t>(community: &Community, number: u64, children: &[&'t Tag]) -> Vec<&'t Tag> {
    let count = 1 + community.random().below(Draw::Size, number, 5);
    let mut chosen: Vec<&Tag> = Vec::new();
    for place in 0..count {
        let share = community.random().share(Draw::Tags, number * 8 + place);
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
    let mut workflows = CopyWriter::begin(db, "workflows", columns).await?;
    for (place, likes) in (0..community.size.workflows).zip(&likes.workflows) {
        let Post { id, author, at_us, is_private, is_nsfw, number } = community.workflow(place);
        let (owner, cover, at) = (community.person(author), cover(community, place), Time(at_us));
        let name = texts::text(community.random(), number, 3);
        let length = 12 + community.random().below(Draw::Length, number, 110);
        let description = texts::html(community.random(), number, length);
        let tags = tags(community, number, &children);
        let parents = tree.iter().filter(|tag| tags.iter().any(|child| child.parent_id == Some(tag.id)));
        let names: Vec<String> =
            tags.iter().copied().chain(parents).flat_map(|tag| [tag.name.clone(), tag.name_ko.clone()]).collect();
        let SearchWords { name: of_name, all } = SearchWords::of([name.as_str()], [description.as_str()], &names);
        let launches = u64::from(*likes) * 3;
        let views = u64::from(*likes) * 11 + community.random().below(Draw::Views, number, 400);
        let (edited, published) = (Time(at_us + 60_000_000), Nullable((!is_private).then_some(published(at_us))));
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

fn published(at_us: i64) -> Time {
    Time(at_us + 3_600_000_000)
}

fn flag(value: bool) -> char {
    if value { 't' } else { 'f' }
}

fn cover(community: &Community, place: u32) -> Uuid {
    id(Kind::Cover, community.workflow(place).at_us, u64::from(place))
}

async fn fill_covers(community: &Community, db: &mut PgConnection) -> Result<()> {
    let mut files = CopyWriter::begin(db, "files", FILE).await?;
    for place in 0..community.size.workflows {
        let at = Time(community.workflow(place).at_us);
        let content = content(community, u64::from(place));
        files.row(format_args!("{content}\tPng\t640000\t768\t512\t{BLUR}\t{at}"));
        files.flow().await?;
    }
    files.end().await?;
    let mut assets = CopyWriter::begin(db, "assets", ASSET).await?;
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

async fn fill_parts(community: &Community, children: &[&Tag], db: &mut PgConnection) -> Result<()> {
    let columns = "workflow_id, version, api_prompt, content_hash, created_at";
    let mut versions = CopyWriter::begin(db, "workflow_versions", columns).await?;
    for place in 0..community.size.workflows {
        let Post { id, at_us, number, .. } = community.workflow(place);
        let (at, hash) = (Time(at_us), content(community, number));
        versions.row(format_args!(
            "{id}\t1\t{{\"1\":{{\"class_type\":\"VerdigraphFlowField\",\"inputs\":{{\"seed\":{place}}}}}}}\t{hash}\t{at}"
        ));
        versions.flow().await?;
    }
    versions.end().await?;
    let mut thumbnails = CopyWriter::begin(db, "workflow_thumbnails", "workflow_id, position, asset_id").await?;
    for place in 0..community.size.workflows {
        let id = community.workflow(place).id;
        thumbnails.row(format_args!("{id}\t0\t{}", cover(community, place)));
        thumbnails.flow().await?;
    }
    thumbnails.end().await?;
    let columns = "workflow_id, tag_id, position, is_nsfw, listed_at";
    let mut links = CopyWriter::begin(db, "workflow_tag_links", columns).await?;
    for place in 0..community.size.workflows {
        let Post { id, at_us, is_private, is_nsfw, number, .. } = community.workflow(place);
        let (is_nsfw, listed) = (flag(is_nsfw), Nullable((!is_private).then_some(published(at_us))));
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
    /// Sizes of pictures.
    const SIDES: [(u32, u32); 5] = [(512, 512), (768, 512), (512, 768), (1024, 1024), (1344, 768)];
    let columns = "id, user_id, job_id, node_id, position, content, media, kind, size_bytes, width, height, is_private, \
                   is_nsfw, like_count, view_count, ran_ms, created_at, expires_at, blur_hash";
    let mut pictures = CopyWriter::begin(db, "output_assets", columns).await?;
    for (place, likes) in (0..community.size.pictures).zip(&likes.pictures) {
        let Post { id, author, at_us, is_private, is_nsfw, number } = community.picture(place);
        let (owner, at) = (community.person(author), Time(at_us));
        // Four consecutive outputs of a job.
        let position = place % 4;
        let job = job(community, place - position);
        let random = community.random();
        let side = usize::try_from(random.below(Draw::Size, number, 5)).unwrap_or(0);
        let (width, height) = SIDES.get(side).copied().unwrap_or((512, 512));
        let bytes = 200_000 + random.below(Draw::Length, number, 1_400_000);
        let views = u64::from(*likes) * 9 + random.below(Draw::Views, number, 60);
        let ran = 2_000 + random.below(Draw::Notified, number, 30_000);
        // Nothing expires during a run.
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
