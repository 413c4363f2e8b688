-- Price classes. A job of the class flex costs a part of the price and waits in lane 3, which is served when no other lane
-- of its pool waits. It is promoted to the lane of its submit in time for its deadline, and keeps its price. Nodes of the
-- previous version leave lane 3 to the others.

-- 0 interactive, 1 API, 2 training, 3 flex
ALTER TABLE jobs
    DROP CONSTRAINT jobs_lane_check,
    ADD CONSTRAINT jobs_lane_check CHECK (lane BETWEEN 0 AND 3),
    -- The part of the pool's price that it costs.
    ADD COLUMN percent smallint NOT NULL DEFAULT 100 CHECK (percent BETWEEN 1 AND 100),
    -- When it must have ended, if its submit says so.
    ADD COLUMN deadline timestamptz,
    -- Of a job of the class flex: the lane to which it is promoted, when at the latest, and when it was.
    ADD COLUMN promote_to smallint CHECK (promote_to BETWEEN 0 AND 2),
    ADD COLUMN promote_at timestamptz,
    ADD COLUMN promoted_at timestamptz,
    ADD CONSTRAINT jobs_flex_is_promoted_check
        CHECK (lane <> 3 OR (promote_to IS NOT NULL AND promote_at IS NOT NULL AND promoted_at IS NULL));
-- The next jobs to promote.
CREATE INDEX jobs_promotion_idx ON jobs (pool, promote_at, id) WHERE status = 0 AND lane = 3;
-- Promoted jobs that still wait: the next ones wait behind them.
CREATE INDEX jobs_promoted_idx ON jobs (pool) WHERE status = 0 AND promoted_at IS NOT NULL;

-- Every row comes from jobs, whose constraint holds. Partitions that were attached have the constraint as their own.
DO $$
DECLARE
    part regclass;
BEGIN
    ALTER TABLE ended_jobs DROP CONSTRAINT ended_jobs_lane_check;
    FOR part IN
        SELECT c.conrelid::regclass FROM pg_constraint c JOIN pg_inherits i ON i.inhrelid = c.conrelid
        WHERE i.inhparent = 'ended_jobs'::regclass AND c.conname = 'ended_jobs_lane_check'
    LOOP
        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT ended_jobs_lane_check', part);
    END LOOP;
END $$;
ALTER TABLE ended_jobs
    ADD COLUMN percent smallint NOT NULL DEFAULT 100,
    ADD COLUMN deadline timestamptz,
    ADD COLUMN promoted_at timestamptz;

CREATE OR REPLACE VIEW all_jobs (id, user_id, status, lane, pool, attempt, withdrawn, worker_id, batch_id, version_id,
                                 prompt_hash, form, seeds, files, extra_data, strict, execute_exception,
                                 validate_exception, node_errors, estimate_ms, created_at, started_at, ended_at, ran_ms,
                                 credits_used, needs, vstart, max_credits, labels, cancel_requested, percent, deadline,
                                 promoted_at) AS
SELECT id, user_id, status, lane, pool, attempt, withdrawn, worker_id, batch_id, version_id, prompt_hash,
       coalesce(form_written, form::json), coalesce(seeds_written, seeds::json), files,
       coalesce(extra_text, extra_data::text), strict, NULL::jsonb, NULL::jsonb, node_errors, estimate_ms,
       created_at, started_at, NULL::timestamptz, NULL::bigint, NULL::bigint, needs, vstart, max_credits, labels,
       cancel_requested, percent, deadline, promoted_at
FROM jobs
UNION ALL
SELECT id, user_id, status, lane, pool, attempt, withdrawn, worker_id, batch_id, version_id, prompt_hash,
       form, seeds, files,
       extra_data, strict, execute_exception, validate_exception, node_errors, estimate_ms,
       created_at, started_at, ended_at, ran_ms, credits_used, ''::text, 0::bigint, max_credits, labels, false, percent,
       deadline, promoted_at
FROM ended_jobs;
