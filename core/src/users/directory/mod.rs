//! The directory of users: by id and in numbers for everyone, and for admins by name, address and session.

pub(in crate::users) mod filter;
pub(in crate::users) mod filtered;
pub(in crate::users) mod people;
pub(in crate::users) mod sighting;
pub(in crate::users) mod store;
