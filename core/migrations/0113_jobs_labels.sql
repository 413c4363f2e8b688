-- Labels of jobs: pairs of texts that a submit gives a job, and by which its owner finds it again.
ALTER TABLE jobs ADD COLUMN labels jsonb CHECK (jsonb_typeof(labels) = 'object');
ALTER TABLE ended_jobs ADD COLUMN labels jsonb;

-- `OWNER KEY=VALUE` of each label. With the owner in it, the index knows how often an account has a label, whatever labels
-- the other accounts use.
CREATE FUNCTION job_label_keys(owner uuid, labels jsonb) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT array_agg(owner::text || ' ' || label.key || '=' || label.value) FROM jsonb_each_text(labels) AS label
$$;

-- The queue's own table is small, and is searched by its owner.
CREATE INDEX ended_jobs_labels_idx ON ended_jobs USING gin (job_label_keys(user_id, labels)) WHERE labels IS NOT NULL;

CREATE OR REPLACE VIEW all_jobs (id, user_id, status, lane, pool, attempt, withdrawn, worker_id, batch_id, version_id,
                                 prompt_hash, form, seeds, files, extra_data, strict, execute_exception,
                                 validate_exception, node_errors, estimate_ms, created_at, started_at, ended_at, ran_ms,
                                 credits_used, needs, vstart, max_credits, labels, cancel_requested) AS
SELECT id, user_id, status, lane, pool, attempt, withdrawn, worker_id, batch_id, version_id, prompt_hash,
       coalesce(form_written, form::json), coalesce(seeds_written, seeds::json), files,
       coalesce(extra_text, extra_data::text), strict, NULL::jsonb, NULL::jsonb, node_errors, estimate_ms,
       created_at, started_at, NULL::timestamptz, NULL::bigint, NULL::bigint, needs, vstart, max_credits, labels, cancel_requested
FROM jobs
UNION ALL
SELECT id, user_id, status, lane, pool, attempt, withdrawn, worker_id, batch_id, version_id, prompt_hash,
       form, seeds, files,
       extra_data, strict, execute_exception, validate_exception, node_errors, estimate_ms,
       created_at, started_at, ended_at, ran_ms, credits_used, ''::text, 0::bigint, max_credits, labels, false
FROM ended_jobs;

-- The BLAKE3 of the bytes that a user sent, by which clients of the Comfy API ask for them. Since then each upload has a
-- row, also where cleaning changed nothing.
ALTER TABLE asset_sources ADD COLUMN blake3 text CHECK (char_length(blake3) = 64);
CREATE INDEX asset_sources_blake3_idx ON asset_sources (user_id, blake3) WHERE blake3 IS NOT NULL;
