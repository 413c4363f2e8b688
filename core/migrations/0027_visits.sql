-- Who looked at or ran something on a day, so that a reload does not count again. Who it was can be told neither from
-- the hash nor, once the day's salt is gone, by trying. Lost in a crash, it costs one more count for each viewer.
-- Takes the place of the visits of workflows alone; those who came today may count once more.
CREATE UNLOGGED TABLE visits (
    day      date     NOT NULL,
    -- 0: a workflow was looked at; 1: it was run; 2: an output was looked at.
    kind     smallint NOT NULL,
    thing_id uuid     NOT NULL,
    viewer   bytea    NOT NULL,
    CONSTRAINT visits_pkey PRIMARY KEY (day, kind, thing_id, viewer)
);
CREATE TABLE visit_salts (
    day  date  NOT NULL,
    salt bytea NOT NULL,
    CONSTRAINT visit_salts_pkey PRIMARY KEY (day)
);
DROP TABLE workflow_visits;
DROP TABLE workflow_visit_salts;
