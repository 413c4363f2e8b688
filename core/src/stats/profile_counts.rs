//! What a profile counts.

/// What a person's profile counts: of what everybody can see, whoever asks; what is not safe for work among it, which
/// the profile shows under a veil.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ProfileCounts {
    /// Published workflows.
    pub workflows: i64,
    /// Published outputs.
    pub images: i64,
    /// Likes that those of both kinds have been given.
    pub likes: i64,
}
