import { and, count, desc, eq, gte, ilike, isNull, lt, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '../../db/client';
import { auditLogs, auditSeals } from '../../db/schema/audit';
import type { Reader } from '../../db/snapshot';
import { toDecimalString } from '../money';
import { csvLine } from '../platform/csv';
import type { Page } from '../platform/http/fields';
import type { AuditLogFilter, AuditLogQuery } from './schemas';

export type AuditLogRow = typeof auditLogs.$inferSelect;

/** The value of the filter `user` for entries of the system. */
export const systemUser = 'system';

/** Lists entries, the newest first; `q` searches details, users and the entity of an entry ("order 12", "#12"). */
export async function listAuditLogs({ limit, offset, ...filter }: AuditLogQuery): Promise<Page<AuditLogRow>> {
  const where = auditCondition(filter);
  const [rows, counted] = await Promise.all([
    db().select().from(auditLogs).where(where).orderBy(desc(auditLogs.id)).limit(limit).offset(offset),
    db().select({ total: count() }).from(auditLogs).where(where),
  ]);
  return { rows, total: counted[0]?.total ?? 0 };
}

/** Lists the next entries before an id, the newest first; for reading the log in batches. */
async function listAuditLogsBefore(
  filter: AuditLogFilter,
  beforeId: number,
  limit: number,
  on: Reader = db(),
): Promise<AuditLogRow[]> {
  return on
    .select()
    .from(auditLogs)
    .where(and(auditCondition(filter), lt(auditLogs.id, beforeId)))
    .orderBy(desc(auditLogs.id))
    .limit(limit);
}

function auditCondition({ q, action, user, entity, source, from, to }: AuditLogFilter) {
  return and(
    action ? eq(auditLogs.action, action) : undefined,
    user ? (user === systemUser ? isNull(auditLogs.userId) : eq(auditLogs.userId, user)) : undefined,
    entity ? eq(auditLogs.entityType, entity) : undefined,
    source ? eq(auditLogs.source, source) : undefined,
    from ? gte(auditLogs.timestamp, sql`${from}::timestamp at time zone 'UTC'`) : undefined,
    to ? lt(auditLogs.timestamp, sql`(${to}::date + 1)::timestamp at time zone 'UTC'`) : undefined,
    matches(q),
  );
}

function matches(q: string | undefined) {
  if (!q) return undefined;
  const pattern = `%${q.replace(/[\\%_]/g, '\\$&')}%`;
  const entity = /^(?:([a-z]+) )?#?([\w-]{1,64})$/i.exec(q);
  const entityType = entity?.[1]?.toLowerCase();
  return or(
    ilike(auditLogs.details, pattern),
    ilike(auditLogs.user, pattern),
    ilike(auditLogs.action, pattern),
    entity?.[2]
      ? and(eq(auditLogs.entityId, entity[2]), entityType ? eq(auditLogs.entityType, entityType) : undefined)
      : undefined,
  );
}

/** @returns null for an unknown id */
export async function getAuditLog(id: number): Promise<AuditLogRow | null> {
  const [row] = await db().select().from(auditLogs).where(eq(auditLogs.id, id));
  return row ?? null;
}

type Seal = Pick<typeof auditSeals.$inferSelect, 'position' | 'hash' | 'keyId'>;

/** Finds an entry's position in the chain, its hash and the key (docs/audit.md); null while it is not sealed. */
export async function getSeal(auditId: number): Promise<Seal | null> {
  const [seal] = await db()
    .select({ position: auditSeals.position, hash: auditSeals.hash, keyId: auditSeals.keyId })
    .from(auditSeals)
    .where(eq(auditSeals.auditId, auditId));
  return seal ?? null;
}

const names = z.array(z.object({ value: z.string() }));

/** Lists all actions in the log, by name. */
export const listAuditActions = () => distinctValues('action');

/** Lists all entity types in the log, by name. */
export const listAuditEntities = () => distinctValues('entity_type');

/** Reads distinct values with a loose index scan instead of reading every row. */
async function distinctValues(name: 'action' | 'entity_type'): Promise<string[]> {
  const column = sql.identifier(name);
  const rows = await db().execute(sql`
    with recursive hop(value) as (
      (select ${column} from ${auditLogs} order by ${column} limit 1)
      union all
      select (select ${column} from ${auditLogs} where ${column} > hop.value order by ${column} limit 1)
      from hop where hop.value is not null
    )
    select value from hop where value is not null`);
  return names.parse(rows).map((row) => row.value);
}

const people = z.array(z.object({ id: z.string(), user: z.string() }));

/** Lists the users in the log, with the name of their latest entry; at most 500. */
export async function listAuditUsers(): Promise<{ id: string; user: string }[]> {
  const rows = await db().execute(sql`
    with recursive hop(id) as (
      (select user_id from ${auditLogs} where user_id is not null order by user_id limit 1)
      union all
      select (select user_id from ${auditLogs} where user_id > hop.id order by user_id limit 1)
      from hop where hop.id is not null
    )
    select hop.id, latest."user" from hop
    cross join lateral (
      select "user" from ${auditLogs} where user_id = hop.id order by ${auditLogs.id} desc limit 1
    ) latest
    where hop.id is not null order by latest."user" limit 500`);
  return people.parse(rows);
}

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
export async function* exportAuditLogs(filter: AuditLogFilter, on?: Reader): AsyncGenerator<string> {
  // The byte order mark makes spreadsheets read the file as UTF-8.
  yield `\uFEFF${csvLine(columns.map(([header]) => header))}`;
  let rows: AuditLogRow[];
  let beforeId = Number.MAX_SAFE_INTEGER;
  do {
    rows = await listAuditLogsBefore(filter, beforeId, batchSize, on);
    beforeId = rows.at(-1)?.id ?? beforeId;
    if (rows.length > 0) yield rows.map((entry) => csvLine(columns.map(([, cell]) => cell(entry)))).join('');
  } while (rows.length === batchSize);
}
