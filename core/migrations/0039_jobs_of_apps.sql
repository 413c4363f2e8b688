-- What somebody ran of one mini app: the earlier runs that its page shows. What waits or runs is found by its owner alone.
CREATE INDEX ended_jobs_app_idx ON ended_jobs (user_id, version_id, id DESC) WHERE version_id IS NOT NULL;
