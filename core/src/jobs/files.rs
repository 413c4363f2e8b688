//! The input files of jobs. They are kept until the job has ended, even if their upload is deleted.

use super::store;
use crate::assets::life;

/// The references of jobs to files.
pub const INPUTS: life::FileOwner = life::FileOwner {
    room: "jobs",
    is_temporary: true,
    referenced: |core, files| Box::pin(async move { Ok(store::files::named(&core.db, files).await?) }),
    all: |core, after, most| Box::pin(async move { Ok(store::files::all(&core.db, after, most).await?) }),
    // Ended jobs have no references.
    forget: |_, _| Box::pin(async { Ok(()) }),
};
