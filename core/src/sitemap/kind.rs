//! The types of public pages.

use crate::word_list::word_list;

word_list! {
    /// The type of a public page.
    pub enum SitemapKind for "kind" {
        Workflow => "workflows",
        Picture => "pictures",
        App => "apps",
        /// A user who has published something.
        Person => "people",
    }
}
