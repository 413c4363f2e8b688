//! What has a page, by name.

use crate::word_list::word_list;

word_list! {
    /// What has a page that everybody may see.
    pub enum Kind for "kind" {
        Workflow => "workflows",
        Picture => "pictures",
        App => "apps",
        /// Somebody who has published anything.
        Person => "people",
    }
}
