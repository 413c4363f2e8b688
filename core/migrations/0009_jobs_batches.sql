-- Batches: jobs that were sent in one file, and how long things run.

CREATE TABLE job_batches (
    id                  uuid        NOT NULL,
    user_id             uuid        NOT NULL,
    -- Names the batch for its owner: sending a file again under the same key goes on with the same batch.
    key                 text,
    created_at          timestamptz NOT NULL,
    -- From then on nothing is accepted into it, and what waits in it is canceled.
    cancel_requested_at timestamptz,
    -- Nothing of it waits or runs any more.
    cancel_finished_at  timestamptz,
    CONSTRAINT job_batches_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX job_batches_key ON job_batches (user_id, key) WHERE key IS NOT NULL;
CREATE INDEX job_batches_mine ON job_batches (user_id, id DESC);
CREATE INDEX job_batches_canceling ON job_batches (id)
    WHERE cancel_requested_at IS NOT NULL AND cancel_finished_at IS NULL;

ALTER TABLE jobs ADD COLUMN batch_id uuid;
CREATE INDEX jobs_batch ON jobs (batch_id, id) WHERE batch_id IS NOT NULL;

-- What runs took lately, by what ran; nodes learn it again from here when they start.
CREATE TABLE job_estimates (
    -- A version of a mini app, a set of needs, or a pool.
    kind         text             NOT NULL,
    mean_ms      double precision NOT NULL,
    -- Mean absolute deviation.
    deviation_ms double precision NOT NULL,
    updated_at   timestamptz      NOT NULL,
    CONSTRAINT job_estimates_pkey PRIMARY KEY (kind),
    CONSTRAINT job_estimates_not_negative CHECK (mean_ms >= 0 AND deviation_ms >= 0)
) WITH (fillfactor = 70);
CREATE INDEX job_estimates_news ON job_estimates (updated_at);
