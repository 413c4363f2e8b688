//! Orders of the list of community videos.

use crate::list::sort_order;

sort_order! {
    /// By the day of publication at YouTube. The words are those of the web pages and the fields of the generic query.
    pub enum VideoOrder {
        #[default]
        Newest 'n' => "newest" | "-youtubeCreatedAt",
        Oldest 'o' => "oldest" | "youtubeCreatedAt",
    }
    ascending Oldest
}
