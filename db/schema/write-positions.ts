import { pgTable, text } from 'drizzle-orm/pg-core';

/**
 * The position of the write-ahead log behind the last change of an account or a user, which a replica must have replayed
 * to be read for them (db/write-position.ts). Written only while DATABASE_READ_URL is set. One more row, by the identifier
 * of the database system, has the newest timeline: a replica that contains it follows this timeline.
 */
export const writePositions = pgTable('write_positions', {
  owner: text().primaryKey(),
  /** The timeline and the LSN as 8 and 16 hexadecimal digits, so that positions compare as texts. */
  position: text().notNull(),
});
