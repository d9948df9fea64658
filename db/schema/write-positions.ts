import { customType, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';

/** A position of the write-ahead log, as PostgreSQL prints it: "16/B374D848". */
const pgLsn = customType<{ data: string }>({ dataType: () => 'pg_lsn' });

/**
 * The position behind the last change of an account or a user, which a replica must have replayed to be read for them
 * (db/write-position.ts). Written only while DATABASE_READ_URL is set, and emptied for each new timeline.
 */
export const writePositions = pgTable('write_positions', {
  owner: text().primaryKey(),
  position: pgLsn().notNull(),
});

/**
 * A random mark for each timeline that the primary had. A server whose newest mark is that of the primary's timeline is a
 * replica of this primary: neither one that stayed on an old timeline, nor a copy, nor a server of another installation.
 */
export const databaseTimelines = pgTable(
  'database_timelines',
  {
    /** The identifier of the database system, because a dump brings the rows of another one. */
    system: text().notNull(),
    /** Eight hexadecimal digits. */
    timeline: text().notNull(),
    mark: uuid().notNull().defaultRandom(),
  },
  (table) => [primaryKey({ columns: [table.system, table.timeline] })],
);
