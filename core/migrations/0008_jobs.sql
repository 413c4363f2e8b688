-- Runs, from submit to terminal status. The table is also the queue.
-- The primary key sorts by time, so that the table can be split by time without another key.

CREATE TABLE jobs (
    id               uuid        NOT NULL,
    user_id          uuid        NOT NULL,
    -- 0 Pending, 1 Connecting, 2 Connected, 3 Running; the terminal ones follow, in the order of the specification.
    status           smallint    NOT NULL,
    -- 0 interactive, 1 API, 2 training
    lane             smallint    NOT NULL,
    pool             text        NOT NULL,
    -- What a worker must have: see job_needs.
    needs            text        NOT NULL,
    -- Virtual start time of start-time fair queuing, in weighted milliseconds.
    vstart           bigint      NOT NULL,
    attempt          smallint    NOT NULL DEFAULT 0,
    lease_node       uuid,
    worker_id        uuid,
    not_before       timestamptz,
    cancel_requested boolean     NOT NULL DEFAULT false,
    -- What it runs: a version of a mini app with a form, or a raw prompt by its content.
    version_id       uuid,
    prompt_hash      text,
    form             jsonb,
    seeds            jsonb,
    files            jsonb,
    extra_data       jsonb,
    -- Price in credits per second, fixed at submit, and the longest it may run.
    rate             bigint      NOT NULL,
    max_run_ms       bigint      NOT NULL,
    estimate_ms      bigint      NOT NULL,
    execute_exception  jsonb,
    validate_exception jsonb,
    created_at       timestamptz NOT NULL,
    started_at       timestamptz,
    ended_at         timestamptz,
    ran_ms           bigint,
    credits_used     bigint,
    CONSTRAINT jobs_pkey PRIMARY KEY (id),
    CONSTRAINT jobs_status_known CHECK (status BETWEEN 0 AND 14),
    CONSTRAINT jobs_ended_when_terminal CHECK ((status > 3) = (ended_at IS NOT NULL)),
    CONSTRAINT jobs_what_it_runs CHECK ((version_id IS NULL) <> (prompt_hash IS NULL))
) WITH (fillfactor = 85, autovacuum_vacuum_insert_scale_factor = 0.05);
-- Claiming is one scan of this index in tag order.
CREATE INDEX jobs_queue ON jobs (pool, lane, vstart, id) WHERE status = 0;
CREATE INDEX jobs_in_flight ON jobs (lease_node) WHERE status IN (1, 2, 3);
CREATE INDEX jobs_user ON jobs (user_id, id DESC);

-- The distinct sets of node classes and model files that jobs need.
CREATE TABLE job_needs (
    hash        text        NOT NULL,
    needs       jsonb       NOT NULL,
    created_at  timestamptz NOT NULL,
    CONSTRAINT job_needs_pkey PRIMARY KEY (hash)
);

-- Raw prompts, once by content.
CREATE TABLE job_prompts (
    hash        text        NOT NULL,
    prompt      jsonb       NOT NULL,
    created_at  timestamptz NOT NULL,
    CONSTRAINT job_prompts_pkey PRIMARY KEY (hash)
);

-- Idempotency keys of submits: same key and body replays the first answer.
CREATE TABLE job_keys (
    user_id      uuid        NOT NULL,
    key          text        NOT NULL,
    request_hash text        NOT NULL,
    job_id       uuid        NOT NULL,
    created_at   timestamptz NOT NULL,
    CONSTRAINT job_keys_pkey PRIMARY KEY (user_id, key)
);
CREATE INDEX job_keys_age ON job_keys (created_at);

-- What a job gave, in order; pictures are in the gallery, under the same job and position.
CREATE TABLE job_outputs (
    job_id      uuid        NOT NULL,
    position    integer     NOT NULL,
    node_id     text        NOT NULL,
    kind        text        NOT NULL,
    -- A text, or a file by its content.
    text        text,
    output_asset_id uuid,
    CONSTRAINT job_outputs_pkey PRIMARY KEY (job_id, position),
    CONSTRAINT job_outputs_text_or_file CHECK ((text IS NULL) <> (output_asset_id IS NULL))
);
