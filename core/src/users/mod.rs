//! The room "users".
