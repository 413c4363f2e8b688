-- One fleet for the installation: the node that owns a worker connects to it, and no other.

-- A worker that one node alone can reach is named by it; every other name stands for one worker of the installation.
ALTER TABLE workers RENAME COLUMN instance TO home;
ALTER TABLE workers ALTER COLUMN home DROP NOT NULL;
ALTER TABLE workers DROP CONSTRAINT workers_instance_name_key;
-- Several nodes were given the same list: of rows with one name and address the oldest stays, and a name that stands for
-- another address too gets a number there.
DELETE FROM workers w USING workers older
WHERE w.name <> 'built-in' AND older.name = w.name AND older.url = w.url AND older.id < w.id;
UPDATE workers w SET name = left(w.name, 50) || ' ' || right(w.id::text, 8)
WHERE w.name <> 'built-in' AND EXISTS (SELECT FROM workers older WHERE older.name = w.name AND older.id < w.id);
UPDATE workers SET home = NULL WHERE name <> 'built-in';
CREATE UNIQUE INDEX workers_home_name_key ON workers (coalesce(home, ''), name);

ALTER TABLE workers
    -- The node that connects to it, for as long as that node lives. No foreign key: nodes come and go.
    ADD COLUMN owner       uuid,
    -- Finishes what it runs, and gets nothing new.
    ADD COLUMN draining    boolean NOT NULL DEFAULT false,
    -- As its owner last said, for the other nodes.
    ADD COLUMN connected   boolean NOT NULL DEFAULT false,
    -- Why it is not connected.
    ADD COLUMN reason      text,
    -- When a node last wanted to hear again what it can do, and which such wish its owner has met.
    ADD COLUMN asked_at    timestamptz,
    ADD COLUMN answered_at timestamptz;

-- All times of nodes are the database's: their own clocks may differ.
ALTER TABLE nodes
    -- Its share of the workers, beside the others'.
    ADD COLUMN weight      integer     NOT NULL DEFAULT 1 CHECK (weight >= 0),
    -- Since when it has given a sign of life without a gap.
    ADD COLUMN alive_since timestamptz NOT NULL DEFAULT clock_timestamp();
