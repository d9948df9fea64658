import type { Executor } from '@/db/client';
import { toDecimalString } from '@/lib/money';
import { csvLine } from '@/lib/platform/csv';
import { type AuditLogRow, readAuditLogs } from './queries';
import type { AuditLogFilter } from './schemas';

const batchSize = 1_000;

const json = (value: Record<string, unknown> | null) => (value === null ? '' : JSON.stringify(value));

const columns: readonly [header: string, cell: (entry: AuditLogRow) => string | number | null][] = [
  ['ID', (entry) => entry.id],
  ['Time (UTC)', (entry) => entry.timestamp.toISOString()],
  ['User', (entry) => entry.user],
  ['User ID', (entry) => entry.userId],
  ['Role', (entry) => entry.role],
  ['Action', (entry) => entry.action],
  ['Details', (entry) => entry.details],
  ['Amount (USD)', (entry) => (entry.amountCents === null ? '' : toDecimalString(entry.amountCents))],
  ['Source', (entry) => entry.source],
  ['About', (entry) => entry.entityType],
  ['About ID', (entry) => entry.entityId],
  ['Before', (entry) => json(entry.before)],
  ['After', (entry) => json(entry.after)],
  ['IP', (entry) => entry.ip],
  ['Request', (entry) => entry.requestId],
];

/** Generates the filtered log as CSV (RFC 4180), the newest first, in batches. */
export async function* exportAuditLogs(filter: AuditLogFilter, on?: Pick<Executor, 'select' | 'execute'>) {
  // The byte order mark makes spreadsheets read the file as UTF-8.
  yield `\uFEFF${csvLine(columns.map(([header]) => header))}`;
  for await (const rows of readAuditLogs(filter, batchSize, on)) {
    yield rows.map((entry) => csvLine(columns.map(([, cell]) => cell(entry)))).join('');
  }
}
