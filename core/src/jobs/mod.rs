//! The room "jobs".
