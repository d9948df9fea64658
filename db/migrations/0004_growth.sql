ALTER TABLE "backups" ADD COLUMN "restore_progress" integer;
