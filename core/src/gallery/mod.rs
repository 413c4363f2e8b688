//! The room "gallery".
