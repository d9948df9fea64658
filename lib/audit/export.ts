import type { Reader } from '../../db/snapshot';
import { toDecimalString } from '../money';
import { csvLine } from '../sites/csv-line';
import { type AuditLogRow, listAuditLogsBefore } from './queries';
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

/** The filtered log as CSV (RFC 4180), newest first, piece by piece: a million lines are never held at once. */
export async function* exportAuditLogs(filter: AuditLogFilter, on?: Reader): AsyncGenerator<string> {
  // The mark tells spreadsheets that this is UTF-8.
  yield `\uFEFF${csvLine(columns.map(([header]) => header))}`;
  let rows: AuditLogRow[];
  let beforeId = Number.MAX_SAFE_INTEGER;
  do {
    rows = await listAuditLogsBefore(filter, beforeId, batchSize, on);
    beforeId = rows.at(-1)?.id ?? beforeId;
    if (rows.length > 0) yield rows.map((entry) => csvLine(columns.map(([, cell]) => cell(entry)))).join('');
  } while (rows.length === batchSize);
}
