//! Comments on posts, answers to them, and likes and dislikes of both.

use sqlx::PgConnection;
use uuid::Uuid;

use super::copy::{CopyWriter, Nullable, Time};
use super::posts::{Post, discussed};
use super::random::{Draw, Kind, distribute, id};
use super::{Community, likes, texts};
use crate::error::Result;

/// Separates random choices of comments from those of posts.
const COMMENTS: u64 = 1 << 33;
/// One of this many reactions to a comment is a dislike.
const DISLIKES: u32 = 10;

/// The number of comments of each post, and of answers of each comment.
struct Threads {
    /// Of workflows, then of pictures.
    comments: Vec<u32>,
    answers: Vec<u32>,
}

struct Comment {
    id: Uuid,
    number: u32,
    parent: Option<Uuid>,
    place: u32,
    author: u32,
    at_us: i64,
    is_deleted: bool,
    /// Answers: all, and those that are not deleted.
    answers: u32,
    living: u32,
}

impl Threads {
    fn of(community: &Community) -> Self {
        let size = community.size;
        let most = size.comments / 20;
        let above = u64::from(size.comments - answers(size.comments));
        let of_pictures = above * 3 / 8;
        let of_workflows = above - of_pictures;
        let weights = |count: u32, post: &dyn Fn(u32) -> Post, but: Option<u32>| -> Vec<f32> {
            let weight = |place: u32| {
                let is_open = !post(place).is_private && Some(place) != but;
                if is_open { likes::popularity(community.rank(place, count)) } else { 0.0 }
            };
            (0..count).map(weight).collect()
        };
        let famous = discussed(community);
        let weight = weights(size.workflows, &|place| community.workflow(place), Some(famous));
        let mut comments = distribute(of_workflows - u64::from(most), &weight, most);
        if let Some(count) = usize::try_from(famous).ok().and_then(|place| comments.get_mut(place)) {
            *count = most;
        }
        let weight = weights(size.pictures, &|place| community.picture(place), None);
        comments.extend(distribute(of_pictures, &weight, most));
        Self { answers: Self::answers(community, &comments), comments }
    }

    /// Distributes answers: few comments have any, and one has more than all others.
    fn answers(community: &Community, comments: &[u32]) -> Vec<u32> {
        let total: u64 = comments.iter().map(|count| u64::from(*count)).sum();
        let famous = first_below(comments, discussed(community));
        let most = community.size.comments / 80;
        let all = answers(community.size.comments);
        let count = u32::try_from(total).unwrap_or(u32::MAX);
        let weight = |number: u32| {
            let has = number != famous && community.random().happens(Draw::Answers, u64::from(number), 0.15);
            if has { 1.0 + f32::from(u8::try_from(number % 4).unwrap_or(0)) } else { 0.0 }
        };
        let weights: Vec<f32> = (0..count).map(weight).collect();
        let mut answers = distribute(u64::from(all - most), &weights, u32::MAX);
        if let Some(count) = usize::try_from(famous).ok().and_then(|place| answers.get_mut(place)) {
            *count = most;
        }
        answers
    }
}

/// The number of answers among this many comments.
fn answers(comments: u32) -> u32 {
    comments / 5
}

/// The number of a post's first comment.
fn first_below(comments: &[u32], post: u32) -> u32 {
    comments.iter().take(usize::try_from(post).unwrap_or(0)).sum()
}

/// The first comment on the most discussed workflow.
pub(super) fn answered(community: &Community) -> Uuid {
    let place = discussed(community);
    let comments = Threads::of(community).comments;
    let count = usize::try_from(place).ok().and_then(|place| comments.get(place)).copied().unwrap_or(0);
    comment(community, community.workflow(place), first_below(&comments, place), 1, count).id
}

/// The comment at a position below a post.
fn comment(community: &Community, post: Post, number: u32, place: u32, count: u32) -> Comment {
    let at_us = community.after(post.at_us + 3_600_000_000, f64::from(place) / f64::from(count + 1));
    written(community, number, None, place, at_us)
}

fn written(community: &Community, number: u32, parent: Option<Uuid>, place: u32, at_us: i64) -> Comment {
    let draw = COMMENTS | u64::from(number);
    Comment {
        id: id(Kind::Comment, at_us, u64::from(number)),
        number,
        parent,
        place,
        author: community.author(draw),
        at_us,
        is_deleted: community.random().happens(Draw::IsDeleted, draw, 0.03),
        answers: 0,
        living: 0,
    }
}

/// Iterates over all threads by post. Comments are numbered first, then answers.
struct ThreadIterator<'a> {
    community: &'a Community,
    threads: &'a Threads,
    post: u32,
    comment: u32,
    answer: u32,
}

impl<'a> ThreadIterator<'a> {
    fn new(community: &'a Community, threads: &'a Threads) -> Self {
        let answer = u32::try_from(threads.answers.len()).unwrap_or(u32::MAX);
        Self { community, threads, post: 0, comment: 0, answer }
    }
}

impl Iterator for ThreadIterator<'_> {
    /// The post, whether it is a workflow, and its comments, each before its answers.
    type Item = (Post, bool, Vec<Comment>);

    fn next(&mut self) -> Option<Self::Item> {
        let community = self.community;
        let count = *self.threads.comments.get(usize::try_from(self.post).ok()?)?;
        let is_workflow = self.post < community.size.workflows;
        let post = match is_workflow {
            true => community.workflow(self.post),
            false => community.picture(self.post - community.size.workflows),
        };
        self.post += 1;
        let mut found = Vec::with_capacity(usize::try_from(count).unwrap_or(0));
        for place in 1..=count {
            let mut above = comment(community, post, self.comment, place, count);
            above.answers = usize::try_from(self.comment).ok().and_then(|at| self.threads.answers.get(at)).copied()?;
            let (parent, at_us, answers) = (above.id, above.at_us, above.answers);
            let first = self.answer;
            let answer = |place: u32| {
                let at_us = community.after(at_us, f64::from(place) / f64::from(answers + 1));
                written(community, first + place - 1, Some(parent), place, at_us)
            };
            let below: Vec<Comment> = (1..=answers).map(answer).collect();
            above.living = u32::try_from(below.iter().filter(|answer| !answer.is_deleted).count()).unwrap_or(0);
            self.comment += 1;
            self.answer += answers;
            found.push(above);
            found.extend(below);
        }
        Some((post, is_workflow, found))
    }
}

pub(super) async fn fill(community: &Community, db: &mut PgConnection) -> Result<()> {
    let threads = Threads::of(community);
    let opinions = opinions(community, &threads);
    fill_comments(community, &threads, &opinions, db).await?;
    let mut places = CopyWriter::begin(db, "comment_places", "target_id, last, living").await?;
    for (post, _, comments) in ThreadIterator::new(community, &threads).filter(|(_, _, comments)| !comments.is_empty())
    {
        let above = || comments.iter().filter(|comment| comment.parent.is_none());
        let living = above().filter(|comment| !comment.is_deleted).count();
        places.row(format_args!("{}\t{}\t{living}", post.id, above().count()));
        for comment in comments.iter().filter(|comment| comment.answers > 0) {
            places.row(format_args!("{}\t{}\t{}", comment.id, comment.answers, comment.living));
        }
        places.flow().await?;
    }
    places.end().await?;
    let mut likes = CopyWriter::begin(db, "comment_likes", "comment_id, user_id, is_like, created_at").await?;
    for (_, _, comments) in ThreadIterator::new(community, &threads) {
        for comment in &comments {
            let draw = COMMENTS | u64::from(comment.number);
            let first = community.random().roll(Draw::FirstLiker, draw);
            for place in 0..opinion(&opinions, comment) {
                let person = community.person(community.liker(comment.author, first, place));
                let is_like = if is_like(place) { 't' } else { 'f' };
                let share = community.random().share(Draw::LikedAt, draw.wrapping_add(u64::from(place)));
                let at = Time(community.after(comment.at_us, share));
                likes.row(format_args!("{}\t{person}\t{is_like}\t{at}", comment.id));
            }
        }
        likes.flow().await?;
    }
    likes.end().await?;
    Ok(())
}

/// The number of reactions to each comment. Most have none.
fn opinions(community: &Community, threads: &Threads) -> Vec<u32> {
    let count = u32::try_from(threads.answers.len()).unwrap_or(0) + threads.answers.iter().sum::<u32>();
    let weight = |number: u32| {
        let draw = COMMENTS | u64::from(number);
        if community.random().happens(Draw::IsDeleted, draw, 0.03) {
            return 0.0;
        }
        #[expect(clippy::cast_possible_truncation, reason = "a weight")]
        let weight = 1.0 / (0.02 + community.random().share(Draw::Liked, draw)) as f32;
        weight
    };
    let weights: Vec<f32> = (0..count).map(weight).collect();
    distribute(likes::of_comments(community), &weights, community.most_likers())
}

fn opinion(opinions: &[u32], comment: &Comment) -> u32 {
    usize::try_from(comment.number).ok().and_then(|at| opinions.get(at)).copied().unwrap_or(0)
}

fn is_like(place: u32) -> bool {
    place % DISLIKES != DISLIKES - 1
}

async fn fill_comments(
    community: &Community,
    threads: &Threads,
    opinions: &[u32],
    db: &mut PgConnection,
) -> Result<()> {
    let columns = "id, user_id, workflow_id, output_asset_id, parent_id, place, content, reply_count, like_count, \
                   dislike_count, created_at, deleted_at";
    let mut rows = CopyWriter::begin(db, "comments", columns).await?;
    for (post, is_workflow, comments) in ThreadIterator::new(community, threads) {
        let (workflow, picture) =
            (Nullable(is_workflow.then_some(post.id)), Nullable((!is_workflow).then_some(post.id)));
        for comment in &comments {
            let draw = COMMENTS | u64::from(comment.number);
            let random = community.random();
            let is_here = !comment.is_deleted;
            let author = Nullable(is_here.then(|| community.person(comment.author)));
            let content = if is_here {
                texts::html(random, draw, 4 + random.below(Draw::Length, draw, 40))
            } else {
                String::new()
            };
            let opinion = opinion(opinions, comment);
            let likes = (0..opinion).filter(|place| is_like(*place)).count();
            let dislikes = usize::try_from(opinion).unwrap_or(0) - likes;
            let deleted = Nullable((!is_here).then_some(Time(community.after(comment.at_us, 0.5))));
            let Comment { id, parent, place, at_us, living, .. } = comment;
            let (parent, at) = (Nullable(*parent), Time(*at_us));
            rows.row(format_args!(
                "{id}\t{author}\t{workflow}\t{picture}\t{parent}\t{place}\t{content}\t{living}\t{likes}\t{dislikes}\t{at}\t{deleted}"
            ));
        }
        rows.flow().await?;
    }
    rows.end().await?;
    Ok(())
}
