//! People as others find them: by their ids and in numbers, and for admins by name, address and where they were seen.

pub(in crate::users) mod filter;
pub(in crate::users) mod filtered;
pub(in crate::users) mod people;
pub(in crate::users) mod sighting;
pub(in crate::users) mod store;
