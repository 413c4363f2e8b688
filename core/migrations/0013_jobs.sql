-- Runs, from submit to terminal status, and the queue. No foreign keys on jobs, job_keys and job_outputs: rows are
-- inserted in the transactions of the ledger, on the hot path.

-- A run. The table is also the queue. The primary key sorts by time, so that the table can be split by time without
-- another key. What a job was told is emptied when its owner leaves; the row stays for the books.
CREATE TABLE jobs (
    id                 uuid        PRIMARY KEY,
    user_id            uuid        NOT NULL,
    -- 0 Pending, 1 Connecting, 2 Connected, 3 Running; the terminal ones follow, in the order of jobs::Status.
    status             smallint    NOT NULL CHECK (status BETWEEN 0 AND 14),
    -- 0 interactive, 1 API, 2 training
    lane               smallint    NOT NULL CHECK (lane BETWEEN 0 AND 2),
    pool               text        NOT NULL,
    -- What a worker must have: the hash of job_needs.
    needs              text        NOT NULL,
    -- Virtual start time of start-time fair queuing, in weighted milliseconds.
    vstart             bigint      NOT NULL,
    attempt            smallint    NOT NULL DEFAULT 0 CHECK (attempt >= 0),
    -- Attempts that a panic of ours ended.
    panics             smallint    NOT NULL DEFAULT 0 CHECK (panics BETWEEN 0 AND attempt),
    -- The node that has it in flight, and the worker that it was given to last.
    lease_node         uuid,
    worker_id          uuid,
    -- Another try is not made before this.
    not_before         timestamptz,
    cancel_requested   boolean     NOT NULL DEFAULT false,
    -- The batch that it was sent in.
    batch_id           uuid,
    -- What it runs: a version of a mini app with a form, or a raw prompt by its content. The hash of a prompt that was
    -- forgotten is empty.
    version_id         uuid,
    prompt_hash        text,
    -- The form and its seeds as they were written, in the form's order: binary JSON sorts keys and drops the
    -- sign of a negative zero.
    form_written       json,
    seeds_written      json,
    -- The same as binary JSON, read where what was written is missing.
    form               jsonb,
    seeds              jsonb,
    -- The files that came with it, by their names.
    files              jsonb,
    -- What else came with a raw prompt, as it was written; and as binary JSON, read where the text is missing.
    extra_text         text,
    extra_data         jsonb,
    -- Whoever sent it wants all outputs or none.
    strict             boolean     NOT NULL DEFAULT false,
    -- Price in credits per second, fixed at submit; the longest it may run; and how long it probably will.
    rate               bigint      NOT NULL CHECK (rate >= 0),
    max_run_ms         bigint      NOT NULL CHECK (max_run_ms >= 0),
    estimate_ms        bigint      NOT NULL CHECK (estimate_ms >= 0),
    -- What a node raised, and why else it did not end well.
    execute_exception  jsonb,
    validate_exception jsonb,
    -- Outputs that are left out because they cannot be made, in ComfyUI's shape.
    node_errors        jsonb,
    created_at         timestamptz NOT NULL,
    started_at         timestamptz,
    ended_at           timestamptz,
    ran_ms             bigint      CHECK (ran_ms >= 0),
    credits_used       bigint      CHECK (credits_used >= 0),
    CONSTRAINT jobs_ended_when_terminal_check CHECK ((status > 3) = (ended_at IS NOT NULL)),
    CONSTRAINT jobs_what_it_runs_check CHECK ((version_id IS NULL) <> (prompt_hash IS NULL))
) WITH (fillfactor = 85, autovacuum_vacuum_insert_scale_factor = 0.05);
-- Claiming is one scan of this index in tag order.
CREATE INDEX jobs_queue_idx ON jobs (pool, lane, vstart, id) WHERE status = 0;
CREATE INDEX jobs_in_flight_idx ON jobs (lease_node) WHERE status IN (1, 2, 3);
CREATE INDEX jobs_user_idx ON jobs (user_id, id DESC);
CREATE INDEX jobs_batch_idx ON jobs (batch_id, id) WHERE batch_id IS NOT NULL;
-- Jobs that have not ended and were given files: these are not deleted under them.
CREATE INDEX jobs_with_files_idx ON jobs (id) WHERE status < 4 AND files IS NOT NULL;

-- An output of a job, in order. A file is in the gallery, under the same job and position; its row there goes with its
-- bytes, and this one says then that it is gone.
CREATE TABLE job_outputs (
    job_id          uuid    NOT NULL,
    position        integer NOT NULL CHECK (position >= 0),
    node_id         text    NOT NULL,
    kind            text    NOT NULL CHECK (kind IN ('images', 'text', 'gifs', 'audio', 'files')),
    -- A text, or a file of the gallery.
    text            text,
    output_asset_id uuid,
    PRIMARY KEY (job_id, position),
    CONSTRAINT job_outputs_text_or_file_check CHECK ((text IS NULL) <> (output_asset_id IS NULL))
);

-- A distinct set of node classes and model files that jobs need.
CREATE TABLE job_needs (
    hash       text        PRIMARY KEY,
    needs      jsonb       NOT NULL,
    created_at timestamptz NOT NULL
);

-- A raw prompt, once by content.
CREATE TABLE job_prompts (
    hash       text        PRIMARY KEY,
    -- As it is understood.
    prompt     jsonb       NOT NULL,
    -- As it was written: binary JSON sorts keys and has no room for some numbers and texts.
    text       text,
    created_at timestamptz NOT NULL
);

-- Who has run a raw prompt: it is kept for as long as one of them is there. Written when somebody runs it for the first
-- time, before the job is accepted, and never on the way of a job. No foreign keys: people's rows stay for good, and a
-- prompt goes only in the transaction that has found no owner of it.
CREATE TABLE job_prompt_owners (
    user_id uuid NOT NULL,
    hash    text NOT NULL,
    PRIMARY KEY (user_id, hash)
);
CREATE INDEX job_prompt_owners_of_prompt_idx ON job_prompt_owners (hash);

-- An idempotency key of a submit: the same key and body replay the first answer.
CREATE TABLE job_keys (
    user_id      uuid        NOT NULL,
    key          text        NOT NULL,
    request_hash text        NOT NULL,
    job_id       uuid        NOT NULL,
    created_at   timestamptz NOT NULL,
    PRIMARY KEY (user_id, key)
);
-- What is old enough to be forgotten.
CREATE INDEX job_keys_age_idx ON job_keys (created_at);

-- A batch: jobs that were sent in one file.
CREATE TABLE job_batches (
    id                  uuid        PRIMARY KEY,
    -- No foreign key: people's rows stay for good.
    user_id             uuid        NOT NULL,
    -- Names the batch for its owner: sending a file again under the same key goes on with the same batch.
    key                 text,
    created_at          timestamptz NOT NULL,
    -- From then on nothing is accepted into it, and what waits in it is canceled.
    cancel_requested_at timestamptz,
    -- Nothing of it waits or runs any more.
    cancel_finished_at  timestamptz
);
CREATE UNIQUE INDEX job_batches_of_user_key ON job_batches (user_id, key) WHERE key IS NOT NULL;
CREATE INDEX job_batches_mine_idx ON job_batches (user_id, id DESC);
CREATE INDEX job_batches_canceling_idx ON job_batches (id)
    WHERE cancel_requested_at IS NOT NULL AND cancel_finished_at IS NULL;

-- How long runs of a kind took lately; nodes learn it again from here when they start.
CREATE TABLE job_estimates (
    -- A version of a mini app, a set of needs, or a pool. No closed list, and no foreign key: it is any of the three.
    kind         text             PRIMARY KEY,
    mean_ms      double precision NOT NULL CHECK (mean_ms >= 0),
    -- Mean absolute deviation.
    deviation_ms double precision NOT NULL CHECK (deviation_ms >= 0),
    updated_at   timestamptz      NOT NULL
) WITH (fillfactor = 70);
-- What other nodes have learned since.
CREATE INDEX job_estimates_news_idx ON job_estimates (updated_at);
