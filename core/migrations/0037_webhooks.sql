-- Addresses that events are brought to, and what became of each.

CREATE TABLE webhook_configs (
    id              uuid        PRIMARY KEY,
    user_id         uuid        NOT NULL REFERENCES users (id),
    -- Null for all jobs of the account.
    workflow_api_id uuid,
    name            text        NOT NULL,
    -- With user and password where it is ftp's.
    url             text        NOT NULL,
    -- The kinds of events, by the numbers of events::EventKind.
    kinds           smallint[]  NOT NULL CHECK (cardinality(kinds) > 0),
    -- What signs, and what signs beside it for a while after it was replaced.
    secret          text        NOT NULL,
    old_secret      text,
    old_until       timestamptz,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    -- Events behind this position are brought.
    since           bigint      NOT NULL,
    disabled_at     timestamptz,
    disabled_why    smallint,
    -- Since when nothing succeeded, and how many attempts in a row that were.
    failing_since   timestamptz,
    failures        integer     NOT NULL DEFAULT 0,
    -- Nothing is tried before this: it failed too often, or asked for a pause.
    paused_until    timestamptz,
    -- When something is to be tried; null where nothing waits.
    due_at          timestamptz,
    -- The node that tries it.
    lease_node      uuid,
    lease_until     timestamptz,
    CHECK ((disabled_at IS NULL) = (disabled_why IS NULL))
);
CREATE INDEX webhook_configs_user_idx ON webhook_configs (user_id, id);
CREATE INDEX webhook_configs_due_idx ON webhook_configs (due_at) WHERE due_at IS NOT NULL AND disabled_at IS NULL;

-- Whose jobs tell how far they are: the number is that of EventKind::JobProgress.
CREATE INDEX webhook_configs_progress_idx ON webhook_configs (user_id) WHERE disabled_at IS NULL AND 5 = ANY (kinds);

-- How far the log of events was looked through. Whoever does so holds this row.
CREATE TABLE webhook_head (
    one      boolean PRIMARY KEY DEFAULT true CHECK (one),
    position bigint  NOT NULL DEFAULT 0
);
INSERT INTO webhook_head DEFAULT VALUES;

-- An event on its way to one address.
CREATE TABLE webhook_deliveries (
    position   bigint      NOT NULL,
    created_at timestamptz NOT NULL,
    next_at    timestamptz NOT NULL,
    id         uuid        PRIMARY KEY,
    config_id  uuid        NOT NULL REFERENCES webhook_configs (id) ON DELETE CASCADE,
    event_id   uuid        NOT NULL,
    job_id     uuid,
    kind       smallint    NOT NULL,
    -- 0 waits, 1 was taken, 2 was given up.
    state      smallint    NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 2),
    attempts   smallint    NOT NULL DEFAULT 0,
    -- An attempt is under way, at the node that has the lease.
    in_flight  boolean     NOT NULL DEFAULT false,
    -- What is sent, the same each time.
    body       text        NOT NULL
);
CREATE INDEX webhook_deliveries_open_idx ON webhook_deliveries (config_id, position) WHERE state = 0;
CREATE INDEX webhook_deliveries_job_idx ON webhook_deliveries (config_id, job_id, position) WHERE state = 0 AND job_id IS NOT NULL;
CREATE INDEX webhook_deliveries_failed_idx ON webhook_deliveries (config_id, created_at) WHERE state = 2;

-- What came of each attempt.
CREATE TABLE webhook_attempts (
    attempt_at   timestamptz NOT NULL,
    responded_at timestamptz,
    id           uuid        PRIMARY KEY,
    delivery_id  uuid        NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
    config_id    uuid        NOT NULL,
    -- Counts from 1.
    number       smallint    NOT NULL,
    -- What the receiver answered, by HTTP or by ftp.
    response     smallint,
    is_success   boolean     NOT NULL,
    said         text        NOT NULL,
    error        text
);
CREATE INDEX webhook_attempts_config_idx ON webhook_attempts (config_id, id DESC);
CREATE INDEX webhook_attempts_delivery_idx ON webhook_attempts (delivery_id);
