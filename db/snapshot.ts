import { type SQLWrapper, sql } from 'drizzle-orm';
import { drizzle as drizzleOver } from 'drizzle-orm/pg-proxy';
import { drizzle } from 'drizzle-orm/postgres-js';
import type { Database } from './client';
import { openPool } from './open-pool';

/** What a query is built on that may be read by a cursor. */
export type Reader = Pick<Database, 'select'>;
/** A query of Drizzle's, as `select()` builds it. */
export type RowQuery<Row> = SQLWrapper & { prepare(name: string): { execute(): Promise<Row[]> } };

export type Snapshot = {
  /** The database as it was at one moment; takes no change. */
  on: Database;
  /**
   * The rows of a query in batches, by a cursor of PostgreSQL, so that any number of them takes the same memory. One
   * query at a time.
   * @param build builds the query on the executor that it is given
   */
  read<Row>(build: (on: Reader) => RowQuery<Row>): AsyncGenerator<Row[]>;
  /** Closes the connection, also in the middle of a statement. Safe to call twice. */
  close(): Promise<void>;
};

/** Small enough that decoding and serializing a batch takes a few milliseconds. */
const batchRows = 200;

const casing = 'snake_case';

/**
 * Opens a REPEATABLE READ transaction on a connection of its own, so that a long reading takes none from the pool that
 * requests share. Each statement has the pool's statement_timeout.
 */
export async function openSnapshot(): Promise<Snapshot> {
  const client = openPool(1);
  const on = drizzle(client, { casing });
  const close = () => client.end({ timeout: 0 });
  try {
    await client.unsafe('begin isolation level repeatable read read only');
    // All rows are read: the plan that is fastest for the first tenth of them is not the one to take.
    await client.unsafe('set local cursor_tuple_fraction = 1');
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return {
    on,
    close,
    read: async function* (build) {
      await on.execute(sql`declare list no scroll cursor for ${build(on)}`);
      let fetched: unknown[][] = [];
      // Drizzle decodes rows only of statements that it runs itself: this one is given those of the cursor.
      const decoding = build(drizzleOver(async () => ({ rows: fetched }), { casing })).prepare('list');
      do {
        fetched = await client.unsafe(`fetch forward ${batchRows} from list`).values();
        if (fetched.length > 0) yield await decoding.execute();
      } while (fetched.length === batchRows);
      await client.unsafe('close list');
    },
  };
}
