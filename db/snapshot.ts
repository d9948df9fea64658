import { type SQLWrapper, sql } from 'drizzle-orm';
import { drizzle as drizzleOver } from 'drizzle-orm/pg-proxy';
import { drizzle } from 'drizzle-orm/postgres-js';
import { type Database, db } from './client';
import { isRepeatable } from './database-errors';
import { openPool } from './open-pool';
import { connectToReplica, type Freshness } from './replicas';
import type { Transaction } from './transaction';
import { hasReplicas } from './write-position';

/** The executor that a query for a cursor is built on. */
export type Reader = Pick<Database, 'select'>;
/** A Drizzle query, as built by `select()`. */
export type RowQuery<Row> = SQLWrapper & { prepare(name: string): { execute(): Promise<Row[]> } };

export type Snapshot = {
  /** The database at one point in time; read-only. */
  on: Database;
  isReplica: boolean;
  /**
   * Reads the rows of a query in batches, by a cursor, so that memory does not grow with the number of rows. One query
   * at a time.
   * @param build builds the query on the given executor
   */
  read<Row>(build: (on: Reader) => RowQuery<Row>): AsyncGenerator<Row[]>;
  /** Ends the time limit of a replica, for a reader that has its own. */
  endTimeLimit(): void;
  /** Closes the connection, also during a statement. Safe to call twice. */
  close(): Promise<void>;
};

/** Small enough to decode and serialize a batch within a few milliseconds. */
const batchRows = 100;

/** The time limit for the reads of a replica, longer than they take: a server that hangs does not end them. */
const readMs = 60_000;

const casing = 'snake_case';

/**
 * Opens a REPEATABLE READ transaction on a separate connection, so that a long read does not occupy the pool of the
 * requests. Each statement has the pool's statement_timeout.
 * @param freshness what a replica must show to be read instead of the primary
 */
export async function openSnapshot(freshness: Freshness = {}): Promise<Snapshot> {
  const replica = await connectToReplica(freshness);
  const client = replica ?? openPool(1);
  const on = drizzle(client, { casing });
  const timer = replica && setTimeout(() => close(), readMs);
  const endTimeLimit = () => clearTimeout(timer ?? undefined);
  const close = () => {
    endTimeLimit();
    return client.end({ timeout: 0 });
  };
  try {
    await client.unsafe('begin isolation level repeatable read read only');
    // All rows are read: by default the planner optimizes a cursor for its first tenth.
    await client.unsafe('set local cursor_tuple_fraction = 1');
  } catch (thrown) {
    await close();
    if (replica && isRepeatable(thrown)) return openSnapshot();
    throw thrown;
  }
  return {
    on,
    isReplica: replica !== null,
    endTimeLimit,
    close,
    read: async function* (build) {
      await on.execute(sql`declare list no scroll cursor for ${build(on)}`);
      let fetched: unknown[][] = [];
      // Drizzle decodes rows only of statements that it runs itself: this statement returns the rows of the cursor.
      const decoding = build(drizzleOver(async () => ({ rows: fetched }), { casing })).prepare('list');
      do {
        fetched = await client.unsafe(`fetch forward ${batchRows} from list`).values();
        if (fetched.length > 0) yield await decoding.execute();
      } while (fetched.length === batchRows);
      await client.unsafe('close list');
    },
  };
}

/**
 * Reads several statements from one snapshot: of a replica that shows what `freshness` requires, or of the primary.
 * @param read is called again with the primary if a replica fails
 */
export async function readSnapshot<T>(
  freshness: Freshness,
  read: (on: Transaction | Database) => Promise<T>,
): Promise<T> {
  const onPrimary = () => db().transaction(read, { isolationLevel: 'repeatable read', accessMode: 'read only' });
  if (!hasReplicas()) return onPrimary();
  const snapshot = await openSnapshot(freshness);
  try {
    return await read(snapshot.on);
  } catch (thrown) {
    if (!snapshot.isReplica || !isRepeatable(thrown)) throw thrown;
    return await onPrimary();
  } finally {
    await snapshot.close();
  }
}
