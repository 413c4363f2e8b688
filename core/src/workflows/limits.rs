//! How much of everything a workflow, a list and a call may have.

/// The longest name, in characters.
pub const MAX_NAME_CHARS: usize = 100;

/// The longest description, in bytes of HTML as sent.
pub const MAX_DESCRIPTION_BYTES: usize = 64 * 1024;

/// The largest list that one call gives.
pub const MAX_PAGE: i64 = 100;

/// How many workflows one call may publish or hide.
pub const MAX_IDS: usize = 100;

/// The most tags that a workflow has; a published one has at least one.
pub const MAX_TAGS: usize = 5;

/// The most pictures of a gallery; a published workflow has at least one.
pub const MAX_THUMBNAILS: usize = 16;

/// The most basic workflows: they are for a beginner's first look, and one call orders them all.
pub const MAX_BASICS: i64 = MAX_PAGE;
