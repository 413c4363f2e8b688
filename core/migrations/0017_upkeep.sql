-- What is looked after in the background.

-- A task of upkeep::TASKS and its last round. Of several nodes the one that takes the lease does the round. Tasks of
-- each node for itself have one row too: it tells of whichever node was the last. No foreign key to nodes: theirs come and go.
CREATE TABLE upkeep_tasks (
    name        text        PRIMARY KEY,
    -- The next round does not begin before.
    due_at      timestamptz NOT NULL,
    -- The node that did the last round, or does it.
    node_id     uuid        NOT NULL,
    -- Of a round that is under way: another node may begin anew from then on.
    lease_until timestamptz,
    started_at  timestamptz NOT NULL,
    ended_at    timestamptz,
    -- What it did, in things of its own.
    done        bigint      NOT NULL DEFAULT 0 CHECK (done >= 0),
    -- Why it failed.
    error       text,
    -- Rounds in a row that failed.
    failures    integer     NOT NULL DEFAULT 0 CHECK (failures >= 0),
    CONSTRAINT upkeep_tasks_ends_after_start_check CHECK (ended_at >= started_at OR lease_until IS NOT NULL)
);
