import { sql } from 'drizzle-orm';
import { integer, pgTable, uuid } from 'drizzle-orm/pg-core';

/**
 * The catalogue's version: all stamps together. A trigger on `sites` (`raise_catalogue_version` in
 * db/migrations/0002_custom.sql) sets one stamp in the transaction of every write that touches a listed site. Each
 * transaction takes a stamp that no other holds, so that writers do not wait for each other. Stamps are random, so that
 * a restored database never repeats the version of other contents.
 */
export const catalogueStamps = pgTable('catalogue_stamps', {
  slot: integer().primaryKey().generatedAlwaysAsIdentity(),
  stamp: uuid().notNull().default(sql`gen_random_uuid()`),
});
