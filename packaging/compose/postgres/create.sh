#!/bin/sh
# Run once, as PostgreSQL begins with an empty folder: a role that owns its database and may do nothing to the server.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$OWNER_PASSWORD" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
CREATE ROLE verdigraph LOGIN PASSWORD :'password';
ALTER ROLE verdigraph SET statement_timeout = '30s';
CREATE DATABASE verdigraph OWNER verdigraph;
SQL
