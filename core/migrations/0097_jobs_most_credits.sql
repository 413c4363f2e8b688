-- The most that a job may cost, where its submit says so. NULL: whatever the longest run of the plan costs.
ALTER TABLE jobs ADD COLUMN max_credits bigint CHECK (max_credits > 0);
ALTER TABLE ended_jobs ADD COLUMN max_credits bigint;

CREATE OR REPLACE VIEW all_jobs (id, user_id, status, lane, pool, attempt, withdrawn, worker_id, batch_id, version_id,
                                 prompt_hash, form, seeds, files, extra_data, strict, execute_exception,
                                 validate_exception, node_errors, estimate_ms, created_at, started_at, ended_at, ran_ms,
                                 credits_used, needs, vstart, max_credits) AS
SELECT id, user_id, status, lane, pool, attempt, withdrawn, worker_id, batch_id, version_id, prompt_hash,
       coalesce(form_written, form::json), coalesce(seeds_written, seeds::json), files,
       coalesce(extra_text, extra_data::text), strict, NULL::jsonb, NULL::jsonb, node_errors, estimate_ms,
       created_at, started_at, NULL::timestamptz, NULL::bigint, NULL::bigint, needs, vstart, max_credits
FROM jobs
UNION ALL
SELECT id, user_id, status, lane, pool, attempt, withdrawn, worker_id, batch_id, version_id, prompt_hash,
       form, seeds, files,
       extra_data, strict, execute_exception, validate_exception, node_errors, estimate_ms,
       created_at, started_at, ended_at, ran_ms, credits_used, ''::text, 0::bigint, max_credits
FROM ended_jobs;
