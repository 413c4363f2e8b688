//! Limits of workflows and calls.

/// Characters of a name.
pub const MAX_NAME_CHARS: usize = 100;

/// Bytes of a description in HTML as sent.
pub const MAX_DESCRIPTION_BYTES: usize = 64 * 1024;

/// Workflows that one call may publish or hide.
pub const MAX_IDS: usize = 100;

/// Tags of a workflow; a published one has at least one.
pub const MAX_TAGS: usize = 5;

/// Pictures of a gallery; a published workflow has at least one.
pub const MAX_THUMBNAILS: usize = 16;

/// Basic workflows. One call orders all of them.
pub const MAX_BASICS: i64 = crate::list::MAX_PAGE;

/// Drafts of a user. A further one deletes the oldest.
pub const MAX_DRAFTS: i64 = 50;
