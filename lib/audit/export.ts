import type { Executor } from '@/db/client';
import { toDecimalString } from '@/lib/money';
import { type CsvColumn, generateCsv } from '@/lib/platform/csv';
import { type AuditLogRow, readAuditLogs } from './queries';
import type { AuditLogFilter } from './schemas';

const batchSize = 1_000;

const json = (value: Record<string, unknown> | null) => (value === null ? '' : JSON.stringify(value));

const columns: readonly CsvColumn<AuditLogRow>[] = [
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
export const exportAuditLogs = (filter: AuditLogFilter, on?: Pick<Executor, 'select' | 'execute'>) =>
  generateCsv(columns, readAuditLogs(filter, batchSize, on));
