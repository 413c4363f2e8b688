pub(super) mod configs;
pub(super) mod deliveries;
