import { createHash } from 'node:crypto';
import { copyOutOf } from '../../db/copy-out-of';
import type { Transaction } from '../../db/transaction';
import { type BackupTable, rowsQuery } from './tables';

const lineFeed = 0x0a;

/** Counts and hashes a table's text as it passes. COPY writes each row as one line and escapes line feeds in it. */
export function tableSum() {
  const hash = createHash('sha256');
  let rows = 0;
  let bytes = 0;
  return {
    add(chunk: Buffer) {
      hash.update(chunk);
      bytes += chunk.length;
      for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, at + 1)) rows += 1;
    },
    result: () => ({ rows, bytes, sha256: hash.digest('hex') }),
  };
}

/** What a table holds now, as a manifest would say it. */
export async function sumOfTable(tx: Transaction, table: BackupTable) {
  const sum = tableSum();
  for await (const chunk of copyOutOf(tx, rowsQuery(table))) sum.add(chunk);
  return sum.result();
}
