-- Attempts that were taken back from a worker's queue before they began: they are none of the job's tries.
ALTER TABLE jobs ADD COLUMN withdrawn smallint NOT NULL DEFAULT 0 CHECK (withdrawn BETWEEN 0 AND attempt);
