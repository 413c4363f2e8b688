//! The room "workflows".
