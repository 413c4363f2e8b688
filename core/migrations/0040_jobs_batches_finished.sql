-- Whether a batch has got jobs since it was last told to be finished: it is to be finished once none of them waits or runs
-- and nobody is sending more of them. A job that comes later opens it again.
ALTER TABLE job_batches
    ADD COLUMN is_open     boolean     NOT NULL DEFAULT false,
    ADD COLUMN finished_at timestamptz;
CREATE INDEX job_batches_open_idx ON job_batches (id) WHERE is_open;

-- What goes on is finished when it is over; what was over before this is so without a word.
UPDATE job_batches SET is_open = true WHERE id IN (SELECT batch_id FROM jobs WHERE batch_id IS NOT NULL);
UPDATE job_batches b SET finished_at = over.at
FROM (SELECT batch_id, max(ended_at) AS at FROM ended_jobs WHERE batch_id IS NOT NULL GROUP BY batch_id) over
WHERE b.id = over.batch_id AND NOT b.is_open;

-- Uploads that bring jobs to a batch. One whose node is gone is not renewed, and is none after its time.
CREATE TABLE job_batch_uploads (
    id       uuid        PRIMARY KEY,
    batch_id uuid        NOT NULL REFERENCES job_batches (id),
    until    timestamptz NOT NULL
);
CREATE INDEX job_batch_uploads_of_batch_idx ON job_batch_uploads (batch_id);

-- The last quarter that was told of a job in flight, counted on from attempt to attempt: 4 * attempt + quarter.
ALTER TABLE jobs ADD COLUMN told_quarter integer NOT NULL DEFAULT 0;
