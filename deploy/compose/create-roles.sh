#!/bin/bash
# Runs once, when PostgreSQL creates its folder: the two roles and the database of docs/database.md.
set -euo pipefail
psql --username=postgres --no-psqlrc --set=ON_ERROR_STOP=1 \
  --set=owner_password="$DATABASE_OWNER_PASSWORD" --set=app_password="$DATABASE_APP_PASSWORD" <<'SQL'
CREATE ROLE linkmarket_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE linkmarket_app NOLOGIN;
CREATE ROLE linkmarket LOGIN PASSWORD :'app_password' IN ROLE linkmarket_app;
CREATE DATABASE linkmarket OWNER linkmarket_owner;
-- The superuser signs in on the server's socket only: docker compose exec postgres psql --username=postgres
ALTER ROLE postgres PASSWORD NULL;
SQL
