-- What happened, for everybody who follows it by the feed or by webhooks. A row is written in the transaction of what it
-- tells of, into the outbox; one writer at a time brings it from there into the log and gives it its position.

-- What has no position yet. The order is the one in which rows were written, so that what can only follow has the higher
-- number. No foreign keys, as in jobs.
CREATE TABLE events_outbox (
    seq             bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    created_at      timestamptz NOT NULL,
    id              uuid        NOT NULL,
    user_id         uuid        NOT NULL,
    job_id          uuid,
    batch_id        uuid,
    version_id      uuid,
    workflow_api_id uuid,
    kind            smallint    NOT NULL,
    data            json        NOT NULL
);
-- Every row of it is soon a dead one.
ALTER TABLE events_outbox SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);

-- The log. Ids begin with their millisecond: a month of ids is a partition, made before it begins and dropped when all of it
-- is older than what is kept.
CREATE TABLE events (
    position        bigint      NOT NULL CHECK (position > 0),
    created_at      timestamptz NOT NULL,
    id              uuid        NOT NULL,
    user_id         uuid        NOT NULL,
    job_id          uuid,
    batch_id        uuid,
    version_id      uuid,
    workflow_api_id uuid,
    kind            smallint    NOT NULL,
    data            json        NOT NULL,
    PRIMARY KEY (id)
) PARTITION BY RANGE (id);
CREATE INDEX events_user_idx ON events (user_id, position);
CREATE INDEX events_position_idx ON events (position);
CREATE TABLE events_default PARTITION OF events DEFAULT;

-- How far the log goes. Whoever brings rows into it holds this one; a position is therefore seen only together with all
-- that are lower.
CREATE TABLE events_head (
    one       boolean PRIMARY KEY DEFAULT true CHECK (one),
    last      bigint  NOT NULL DEFAULT 0,
    -- The last position that may have been dropped.
    forgotten bigint  NOT NULL DEFAULT 0
);
INSERT INTO events_head DEFAULT VALUES;
