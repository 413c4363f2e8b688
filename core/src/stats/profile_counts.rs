//! The counts of a profile.

/// The counts of a user's profile: public posts, including those that are not safe for work.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ProfileCounts {
    pub workflows: i64,
    /// Published outputs.
    pub images: i64,
    /// Likes of both.
    pub likes: i64,
}
