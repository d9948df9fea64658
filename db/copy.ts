import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { driverOf, type Transaction } from './transaction';

/**
 * Opens COPY FROM STDIN into a table, inside a transaction: the fastest way to insert many rows. The stream takes lines
 * of COPY's text format; while it is open, the transaction can run nothing else.
 * @param table and `columns`: identifiers from the code, never user input
 */
export async function copyFromStdin(tx: Transaction, table: string, columns: readonly string[]): Promise<Writable> {
  return driverOf(tx)
    .unsafe(`copy ${table} (${columns.join(', ')}) from stdin`)
    .writable();
}

/**
 * Reads the rows of a query by COPY TO STDOUT, inside a transaction: lines of COPY's text format, which `copyFromStdin`
 * accepts unchanged. While it is read, the transaction can run nothing else. A consumer that stops early waits until the
 * remaining rows have arrived: the driver does not roll back during a COPY, and the connection would never leave the
 * transaction.
 * @param query from the code, never user input
 */
export async function* copyToStdout(tx: Transaction, query: string): AsyncGenerator<Buffer> {
  const rows = await driverOf(tx).unsafe(`copy (${query}) to stdout`).readable();
  // The driver pauses its connection when rows arrive faster than they are read, and resumes it at the next `_read`. If
  // the last chunk paused it, no `_read` follows and the transaction's next statement would never be answered. A lost
  // connection has nothing to resume.
  rows.once('close', () => {
    if (!rows.errored) rows._read(0);
  });
  try {
    yield* rows.iterator({ destroyOnReturn: false });
  } finally {
    // The consumer reports its own error, and the transaction reports a lost connection.
    if (!rows.closed) await finished(rows.resume()).catch(() => undefined);
  }
}
