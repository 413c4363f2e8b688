//! Generates a community of any size from a seed: people, workflows, pictures, comments, likes and notifications, with
//! counters and positions that match the rows.
//!
//! Distributions are skewed. Some people publish most, few posts have most of the likes and comments, and there is one
//! of each extreme: a studio with a sixth of all posts, a fan with tens of thousands of favourites, a post with 100,000
//! comments, a comment with 25,000 answers, a person with 100,000 notifications. Picture files do not exist: lists
//! never read them.

mod check;
mod copy;
mod indexes;
mod likes;
mod notifications;
mod people;
mod posts;
mod random;
mod texts;
mod threads;

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

pub use check::{Violations, check};

use crate::error::Result;
use random::{Draw, SeededRandom};

/// The size of a community.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Size {
    pub people: u32,
    pub workflows: u32,
    pub pictures: u32,
    /// Comments and answers together.
    pub comments: u32,
    /// Likes of workflows, pictures and comments.
    pub likes: u32,
    pub notifications: u32,
}

impl Size {
    /// The size for measuring lists.
    pub const WHOLE: Self = Self {
        people: 20_000,
        workflows: 200_000,
        pictures: 1_000_000,
        comments: 2_000_000,
        likes: 5_000_000,
        notifications: 600_000,
    };

    /// The smallest size with something of everything. Filled within seconds.
    pub const SMALL: Self =
        Self { people: 60, workflows: 600, pictures: 900, comments: 4000, likes: 5000, notifications: 2400 };
}

/// A community: its size, its seed, and the current time. The same three produce the same rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Community {
    pub size: Size,
    pub seed: u64,
    pub now: DateTime<Utc>,
}

/// The age of the community.
const AGE: TimeDelta = TimeDelta::days(730);
/// The person with a sixth of all posts.
const STUDIO: u32 = 0;
/// The person with the most notifications.
const READER: u32 = 1;

/// The tables that are filled, referenced ones first.
const TABLES: [&str; 16] = [
    "users",
    "files",
    "assets",
    "workflows",
    "workflow_versions",
    "workflow_tag_links",
    "workflow_thumbnails",
    "output_assets",
    "workflow_likes",
    "output_asset_likes",
    "comments",
    "comment_places",
    "comment_likes",
    "notices",
    "notification_boxes",
    "notification_settings",
];
/// The largest table with positions.
const NOTIFICATIONS: &str = "notifications";

impl Community {
    /// Fills the migrated, empty tables and analyzes them.
    pub async fn fill(&self, db: &mut PgConnection) -> Result<()> {
        let tables: Vec<&str> = TABLES.into_iter().chain([NOTIFICATIONS]).collect();
        let aside = indexes::drop_indexes(db, &tables).await?;
        people::fill(self, db).await?;
        let likes = likes::Likes::of(self);
        posts::fill_workflows(self, &likes, db).await?;
        posts::fill_pictures(self, &likes, db).await?;
        likes::fill(self, &likes, db).await?;
        threads::fill(self, db).await?;
        notifications::fill(self, db).await?;
        aside.restore(db).await?;
        for table in tables {
            sqlx::raw_sql(sqlx::AssertSqlSafe(format!("VACUUM (ANALYZE) {table}"))).execute(&mut *db).await?;
        }
        sqlx::raw_sql("CHECKPOINT").execute(db).await?;
        Ok(())
    }

    /// The id of the person with a sixth of all posts.
    #[must_use]
    pub fn studio(&self) -> Uuid {
        self.person(STUDIO)
    }

    /// The id of the person with the most notifications.
    #[must_use]
    pub fn reader(&self) -> Uuid {
        self.person(READER)
    }

    /// The id of the person with the most favourites, who posts nothing.
    #[must_use]
    pub fn fan(&self) -> Uuid {
        self.person(self.fan_number())
    }

    /// The workflow with a twentieth of all comments.
    #[must_use]
    pub fn discussed(&self) -> Uuid {
        self.workflow(posts::discussed(self)).id
    }

    /// The comment with the most answers; below [`Community::discussed`].
    #[must_use]
    pub fn answered(&self) -> Uuid {
        threads::answered(self)
    }

    fn random(&self) -> SeededRandom {
        SeededRandom(self.seed)
    }

    fn fan_number(&self) -> u32 {
        self.size.people.saturating_sub(1)
    }

    fn begin_us(&self) -> i64 {
        (self.now - AGE).timestamp_micros()
    }

    fn now_us(&self) -> i64 {
        self.now.timestamp_micros()
    }

    /// The author of a post or comment. Few people write most of them; the fan writes none.
    fn author(&self, number: u64) -> u32 {
        let share = self.random().share(Draw::Author, number);
        let others = self.fan_number().saturating_sub(1);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of a person")]
        let place = (f64::from(others) * share * share * share) as u32;
        1 + place.min(others.saturating_sub(1))
    }

    /// The person at position `place` among those who like what this author posted, starting at `first`. They are
    /// distinct and exclude the author and the fan.
    fn liker(&self, author: u32, first: u64, place: u32) -> u32 {
        /// A large prime, so that consecutive people differ.
        const STEP: u64 = 7919;
        let others = u64::from(self.most_likers()).max(1);
        let step = if others.is_multiple_of(STEP) { 1 } else { STEP };
        let offset = (first % others + u64::from(place) % others * step) % others;
        let number = (u64::from(author) + 1 + offset) % u64::from(self.fan_number()).max(1);
        u32::try_from(number).unwrap_or(READER)
    }

    /// The maximum number of likes of one thing: all but its author and the fan.
    fn most_likers(&self) -> u32 {
        self.fan_number().saturating_sub(1)
    }

    /// A time between `at_us` and now.
    fn after(&self, at_us: i64, share: f64) -> i64 {
        #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "microseconds of two years")]
        let later = ((self.now_us() - at_us).max(0) as f64 * share) as i64;
        at_us + later
    }
}
