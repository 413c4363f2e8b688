-- Who has run a raw prompt: it is kept for as long as one of them is there. Written when somebody runs it for the first
-- time, before the job is accepted, and never on the way of a job.

CREATE TABLE job_prompt_owners (
    user_id uuid NOT NULL,
    hash    text NOT NULL,
    CONSTRAINT job_prompt_owners_pkey PRIMARY KEY (user_id, hash)
);
CREATE INDEX job_prompt_owners_of_prompt ON job_prompt_owners (hash);
INSERT INTO job_prompt_owners (user_id, hash)
    SELECT DISTINCT user_id, prompt_hash FROM jobs WHERE prompt_hash IS NOT NULL;

-- Jobs that have not ended and were given files: these are not deleted under them.
CREATE INDEX jobs_with_files ON jobs (id) WHERE status < 4 AND files IS NOT NULL;
