//! Workflows of one visibility, which one index has in every order.

/// One choice among public or private, safe or not: the first two columns of every order's index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::workflows) struct Slice {
    pub is_private: bool,
    pub is_nsfw: bool,
}
