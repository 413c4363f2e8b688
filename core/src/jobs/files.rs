//! The files that jobs were given: they are kept until the job has ended, whoever deletes the upload meanwhile.

use super::store;
use crate::assets::life;

/// The rows of this room.
pub const INPUTS: life::Owner = life::Owner {
    room: "jobs",
    only_for_now: true,
    named: |core, files| Box::pin(async move { Ok(store::files::named(&core.db, files).await?) }),
    all: |core, after, most| Box::pin(async move { Ok(store::files::all(&core.db, after, most).await?) }),
    // A job that has ended names no file, and is forgotten with its owner.
    forget: |_, _| Box::pin(async { Ok(()) }),
};
