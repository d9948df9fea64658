import { finished } from 'node:stream/promises';
import { driverOf } from './driver-of';
import type { Transaction } from './transaction';

/**
 * PostgreSQL's COPY of a query's rows, inside a transaction: lines of COPY's text format, which `copyInto` takes back
 * exactly. While it is read, the transaction can do nothing else. Whoever leaves it early waits for the rest to pass:
 * the driver does not roll back during a COPY, and the connection would stay in the transaction for ever.
 * @param query of ours, never a person's words
 */
export async function* copyOutOf(tx: Transaction, query: string): AsyncGenerator<Buffer> {
  const rows = await driverOf(tx).unsafe(`copy (${query}) to stdout`).readable();
  // The driver pauses its connection when the rows come faster than they are read, and goes on at the next `_read`.
  // When the last piece made it pause there is none, and whatever the transaction asks next would never be answered.
  // A connection that was lost has nothing to go on with.
  rows.once('close', () => {
    if (!rows.errored) rows._read(0);
  });
  try {
    yield* rows.iterator({ destroyOnReturn: false });
  } finally {
    // Why it was left is told by whoever left it; a lost connection is told by the transaction.
    if (!rows.closed) await finished(rows.resume()).catch(() => undefined);
  }
}
