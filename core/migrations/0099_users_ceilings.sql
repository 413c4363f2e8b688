-- The most that a user wants to spend on one run, and on one day of UTC. NULL: no ceiling.
ALTER TABLE users
    ADD COLUMN run_ceiling bigint CHECK (run_ceiling > 0),
    ADD COLUMN day_ceiling bigint CHECK (day_ceiling > 0);
