-- Workers, what they can do, and the nodes that are alive.

-- A worker: one ComfyUI server.
CREATE TABLE workers (
    id         uuid        PRIMARY KEY,
    name       text        NOT NULL,
    url        text        NOT NULL,
    -- No closed list: operators name their pools.
    pool       text        NOT NULL,
    -- Kept out of work by an operator.
    paused     boolean     NOT NULL DEFAULT false,
    -- The installation (host and data folder) whose node connects to it.
    instance   text        NOT NULL,
    created_at timestamptz NOT NULL,
    UNIQUE (instance, name)
);

-- What workers said they can do, once per distinct answer; kept so that graphs can be checked while workers are away.
CREATE TABLE capability_sets (
    hash        text        PRIMARY KEY,
    object_info jsonb       NOT NULL,
    models      jsonb       NOT NULL,
    created_at  timestamptz NOT NULL
);

-- What a worker said when it was last there. No foreign keys: a worker may answer in the moment in which it is removed,
-- and its answer must not fail for it; sets stay for good.
CREATE TABLE worker_capabilities (
    worker_id uuid        PRIMARY KEY,
    hash      text        NOT NULL,
    version   text,
    seen_at   timestamptz NOT NULL
);

-- A running process. One without a heartbeat for the time of a lease has lost its jobs to the others.
CREATE TABLE nodes (
    id           uuid        PRIMARY KEY,
    instance     text        NOT NULL,
    started_at   timestamptz NOT NULL,
    heartbeat_at timestamptz NOT NULL
);
-- The earlier processes of an installation, which end where a new one begins.
CREATE INDEX nodes_instance_idx ON nodes (instance);
