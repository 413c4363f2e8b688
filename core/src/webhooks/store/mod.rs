pub(super) mod configs;
pub(super) mod deliveries;
pub(super) mod history;
