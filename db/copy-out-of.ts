import type { Readable } from 'node:stream';
import { driverOf } from './driver-of';
import type { Transaction } from './transaction';

/**
 * Opens PostgreSQL's COPY of a query's rows, inside a transaction: lines of COPY's text format, which `copyInto` takes
 * back exactly. While it is read, the transaction can do nothing else.
 * @param query of ours, never a person's words
 */
export async function copyOutOf(tx: Transaction, query: string): Promise<Readable> {
  const rows = await driverOf(tx).unsafe(`copy (${query}) to stdout`).readable();
  // The driver pauses its connection when the rows come faster than they are read, and goes on at the next `_read`.
  // When the last piece made it pause there is none, and whatever the transaction asks next would never be answered.
  return rows.once('close', () => rows._read(0));
}
