//! Lists, filters and searches on a real database.

mod filters;
mod pages;
