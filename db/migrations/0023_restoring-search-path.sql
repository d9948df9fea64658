-- Emptying `sites` fires the trigger that gives the catalogue a new version; its function names tables of the schema
-- public without saying so.
ALTER FUNCTION restoring.clear_tables SET search_path = pg_catalog, public, pg_temp;
