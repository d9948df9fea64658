import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { copyInto } from '../../db/copy-into';
import type { Transaction } from '../../db/transaction';
import { type BackupTable, quoted, quotedTable } from './tables';

type Open = { name: string; sink: Writable; end: Promise<void> };

/**
 * Copies an archive's pieces into the database, one table after the other, in the archive's order.
 * @param target where a table's rows go; null: they are passed over
 * @param afterTable runs once a table is in, before the next one begins
 */
export function copyTables(
  tx: Transaction,
  tables: readonly BackupTable[],
  target: (name: string) => string | null,
  afterTable: (name: string) => Promise<void>,
) {
  let open: Open | null = null;
  const close = async () => {
    if (!open) return;
    const { name, sink, end } = open;
    open = null;
    sink.end();
    await end;
    await afterTable(name);
  };
  return {
    close,
    async add(name: string, chunk: Buffer): Promise<void> {
      if (open?.name !== name) {
        await close();
        const into = target(name);
        const table = tables.find((known) => known.name === name);
        if (into === null || !table) return;
        const sink = await copyInto(tx, quotedTable(into), table.columns.map(quoted));
        const end = finished(sink);
        // Awaited when the table is closed; a refusal before that shows in `write` or there.
        end.catch(() => undefined);
        open = { name, sink, end };
      }
      const { sink, end } = open;
      if (!sink.write(chunk)) await Promise.race([once(sink, 'drain'), end]);
    },
  };
}
