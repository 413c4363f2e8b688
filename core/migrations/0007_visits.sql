-- Who looked at or ran something on a day, so that a reload does not count again.

-- A visit of somebody to something. Who it was can be told neither from the hash nor, once the day's salt is gone, by
-- trying. Lost in a crash, it costs one more count for each viewer.
CREATE UNLOGGED TABLE visits (
    day      date     NOT NULL,
    -- 0 a workflow was looked at, 1 it was run, 2 an output was looked at
    kind     smallint NOT NULL CHECK (kind BETWEEN 0 AND 2),
    -- The workflow or output. No foreign key: it is in one of two tables of rooms above.
    thing_id uuid     NOT NULL,
    viewer   bytea    NOT NULL,
    PRIMARY KEY (day, kind, thing_id, viewer)
);

-- The salt of a day's hashes, the same for all nodes.
CREATE TABLE visit_salts (
    day  date  PRIMARY KEY,
    salt bytea NOT NULL
);
