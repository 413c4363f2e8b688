-- Which programs may work with these tables. A program that does not know the newest migrations may start where it knows
-- this one: those behind it only added what it does not use. A migration that takes away or changes what the version
-- before used raises this to its own number. One row for the installation.
CREATE TABLE database_floor (
    one     boolean PRIMARY KEY DEFAULT true CHECK (one),
    version bigint  NOT NULL CHECK (version > 0)
);
INSERT INTO database_floor (version) VALUES (35);
