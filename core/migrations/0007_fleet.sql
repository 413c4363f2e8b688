-- Workers, what they can do, and the nodes that are alive.

CREATE TABLE workers (
    id          uuid        NOT NULL,
    name        text        NOT NULL,
    url         text        NOT NULL,
    pool        text        NOT NULL,
    -- Kept out of work by an operator.
    paused      boolean     NOT NULL DEFAULT false,
    -- The installation (host and data folder) whose node connects to it.
    instance    text        NOT NULL,
    created_at  timestamptz NOT NULL,
    CONSTRAINT workers_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX workers_name ON workers (instance, name);

-- What workers said they can do, once per distinct answer; kept so that graphs can be checked while workers are away.
CREATE TABLE capability_sets (
    hash        text        NOT NULL,
    object_info jsonb       NOT NULL,
    models      jsonb       NOT NULL,
    created_at  timestamptz NOT NULL,
    CONSTRAINT capability_sets_pkey PRIMARY KEY (hash)
);
CREATE TABLE worker_capabilities (
    worker_id   uuid        NOT NULL,
    hash        text        NOT NULL,
    version     text,
    seen_at     timestamptz NOT NULL,
    CONSTRAINT worker_capabilities_pkey PRIMARY KEY (worker_id)
);

-- A running process. One without a heartbeat for the time of a lease has lost its jobs to the others.
CREATE TABLE nodes (
    id           uuid        NOT NULL,
    instance     text        NOT NULL,
    started_at   timestamptz NOT NULL,
    heartbeat_at timestamptz NOT NULL,
    CONSTRAINT nodes_pkey PRIMARY KEY (id)
);
CREATE INDEX nodes_instance ON nodes (instance);
