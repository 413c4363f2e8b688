-- The table jobs is the queue and nothing else: what waits or is in flight. A job that ends is moved into ended_jobs by the
-- statement that ends it, so that the queue stays as small as what is going on, however many jobs there have been.

-- A run that has ended. Its id begins with the millisecond in which it was accepted: a month of ids is a partition, and a
-- month is given up by dropping its table. What only the queue needs stands in jobs alone. The widest come first, so that
-- nothing is padded. No foreign keys, as in jobs.
CREATE TABLE ended_jobs (
    created_at         timestamptz NOT NULL,
    started_at         timestamptz,
    ended_at           timestamptz NOT NULL,
    ran_ms             bigint      CHECK (ran_ms >= 0),
    credits_used       bigint      CHECK (credits_used >= 0),
    estimate_ms        bigint      NOT NULL CHECK (estimate_ms >= 0),
    id                 uuid        NOT NULL,
    user_id            uuid        NOT NULL,
    version_id         uuid,
    batch_id           uuid,
    worker_id          uuid,
    -- The terminal ones, in the order of jobs::Status.
    status             smallint    NOT NULL CHECK (status BETWEEN 4 AND 14),
    lane               smallint    NOT NULL CHECK (lane BETWEEN 0 AND 2),
    attempt            smallint    NOT NULL CHECK (attempt >= 0),
    withdrawn          smallint    NOT NULL CHECK (withdrawn BETWEEN 0 AND attempt),
    strict             boolean     NOT NULL,
    pool               text        NOT NULL,
    prompt_hash        text,
    -- As they were written, and nowhere else.
    form               json,
    seeds              json,
    files              jsonb,
    extra_data         text,
    execute_exception  jsonb,
    validate_exception jsonb,
    node_errors        jsonb,
    PRIMARY KEY (id),
    CONSTRAINT ended_jobs_what_it_ran_check CHECK ((version_id IS NULL) <> (prompt_hash IS NULL))
) PARTITION BY RANGE (id);
CREATE INDEX ended_jobs_user_idx ON ended_jobs (user_id, id DESC);
CREATE INDEX ended_jobs_batch_idx ON ended_jobs (batch_id, id) WHERE batch_id IS NOT NULL;

-- Whatever belongs to no month that has a table: no job may fail to end for want of one.
CREATE TABLE ended_jobs_default PARTITION OF ended_jobs DEFAULT;

-- The months of what there is, and three to come.
DO $$
DECLARE
    first timestamp := date_trunc('month', least(
        now() AT TIME ZONE 'UTC',
        (SELECT min(created_at) AT TIME ZONE 'UTC' FROM jobs WHERE status > 3)));
    -- The least id of a month.
    least_id CONSTANT text := $q$rpad(lpad(to_hex((extract(epoch FROM %L::timestamp) * 1000)::bigint), 12, '0'), 32, '0')$q$;
    months timestamp[];
    month timestamp;
    bounds text[];
BEGIN
    months := ARRAY(SELECT generate_series(first, date_trunc('month', now() AT TIME ZONE 'UTC') + interval '3 months',
                                           interval '1 month'));
    FOREACH month IN ARRAY months LOOP
        EXECUTE format('SELECT ARRAY[' || least_id || ', ' || least_id || ']', month, month + interval '1 month')
           INTO bounds;
        EXECUTE format('CREATE TABLE %I PARTITION OF ended_jobs FOR VALUES FROM (%L) TO (%L)',
                       'ended_jobs_' || to_char(month, 'YYYY_MM'), bounds[1]::uuid, bounds[2]::uuid);
    END LOOP;
END $$;

INSERT INTO ended_jobs (id, user_id, status, lane, pool, attempt, withdrawn, worker_id, batch_id, version_id, prompt_hash,
                        form, seeds, files, extra_data, strict, execute_exception, validate_exception, node_errors,
                        estimate_ms, created_at, started_at, ended_at, ran_ms, credits_used)
SELECT id, user_id, status, lane, pool, attempt, withdrawn, worker_id, batch_id, version_id, prompt_hash,
       coalesce(form_written, form::json), coalesce(seeds_written, seeds::json), files,
       coalesce(extra_text, extra_data::text), strict, execute_exception, validate_exception, node_errors,
       estimate_ms, created_at, started_at, ended_at, ran_ms, credits_used
FROM jobs WHERE status > 3;
DELETE FROM jobs WHERE status > 3;

ALTER TABLE jobs
    DROP CONSTRAINT jobs_ended_when_terminal_check,
    DROP CONSTRAINT jobs_status_check,
    ADD CONSTRAINT jobs_status_check CHECK (status BETWEEN 0 AND 3),
    DROP COLUMN ended_at,
    DROP COLUMN ran_ms,
    DROP COLUMN credits_used,
    DROP COLUMN execute_exception,
    DROP COLUMN validate_exception;
-- Whether a job has ended need not be asked of this table any more.
DROP INDEX jobs_with_files_idx;
CREATE INDEX jobs_with_files_idx ON jobs (id) WHERE files IS NOT NULL;
-- Every row of it is soon a dead one.
ALTER TABLE jobs SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);

-- All jobs, for whoever reads them without knowing where one stands. One statement sees a job in one of the two.
CREATE VIEW all_jobs (id, user_id, status, lane, pool, attempt, withdrawn, worker_id, batch_id, version_id, prompt_hash, form,
                      seeds, files, extra_data, strict, execute_exception, validate_exception, node_errors, estimate_ms,
                      created_at, started_at, ended_at, ran_ms, credits_used, needs, vstart) AS
SELECT id, user_id, status, lane, pool, attempt, withdrawn, worker_id, batch_id, version_id, prompt_hash,
       coalesce(form_written, form::json), coalesce(seeds_written, seeds::json), files,
       coalesce(extra_text, extra_data::text), strict, NULL::jsonb, NULL::jsonb, node_errors, estimate_ms,
       created_at, started_at, NULL::timestamptz, NULL::bigint, NULL::bigint, needs, vstart
FROM jobs
UNION ALL
SELECT id, user_id, status, lane, pool, attempt, withdrawn, worker_id, batch_id, version_id, prompt_hash,
       form, seeds, files,
       extra_data, strict, execute_exception, validate_exception, node_errors, estimate_ms,
       created_at, started_at, ended_at, ran_ms, credits_used, ''::text, 0::bigint
FROM ended_jobs;
