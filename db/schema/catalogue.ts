import { sql } from 'drizzle-orm';
import { integer, pgTable, uuid } from 'drizzle-orm/pg-core';

/**
 * The catalogue's version: all stamps together. A trigger on `sites` gives one of them a new value in the transaction
 * of every write that touches a listed site; each transaction takes a stamp that no other holds, so that writers never
 * wait for each other here (`raise_catalogue_version` in db/migrations/0002_custom.sql). A random value, not a counter, so that a
 * restored database never has the version of other contents.
 */
export const catalogueStamps = pgTable('catalogue_stamps', {
  slot: integer().primaryKey().generatedAlwaysAsIdentity(),
  stamp: uuid().notNull().default(sql`gen_random_uuid()`),
});
