-- What a ComfyUI client sent with a prompt, for jobs that came through ComfyUI's own calls.

CREATE SEQUENCE job_client_prompts_number AS bigint;

-- No foreign keys: the row is written before its job, and the rows of accounts stay for good.
CREATE TABLE job_client_prompts (
    job_id      uuid             PRIMARY KEY,
    user_id     uuid             NOT NULL,
    -- The id that the client gave the prompt, else that of the job. Unique for one user only: a client chooses it.
    prompt_id   uuid             NOT NULL,
    -- The id of the client's socket.
    client_id   text,
    -- Negative for a prompt that went before the others.
    number      double precision NOT NULL,
    -- The id of the graph in the editor.
    workflow_id text,
    -- The nodes whose outputs are made.
    outputs     text[]           NOT NULL,
    -- Since when its user has removed it from the history.
    removed_at  timestamptz,
    UNIQUE (user_id, prompt_id)
);
CREATE INDEX job_client_prompts_mine_idx ON job_client_prompts (user_id, job_id DESC) WHERE removed_at IS NULL;
