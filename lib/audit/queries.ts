import { and, desc, eq, gte, isNull, lt, lte, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { countCap, countUpTo, searchCountCap } from '@/db/count-up-to';
import { type IdRange, readIdPage } from '@/db/read-id-page';
import { readInBatches } from '@/db/read-in-batches';
import { auditLogDay, auditLogs, auditSeals, auditSearchText } from '@/db/schema/audit';
import { users } from '@/db/schema/users';
import { textContains } from '@/db/search';
import type { AuditLogFilter, AuditLogQuery } from './schemas';

export type AuditLogRow = typeof auditLogs.$inferSelect;

/** The value of the filter `user` for entries of the system. */
export const systemUser = 'system';

/** A combination of values that occurs in the log; there are some hundred at most, at any number of entries. */
const kindSchema = z.object({ action: z.string(), entityType: z.string(), source: z.string() });
type AuditKind = z.output<typeof kindSchema>;

/** Lists the kinds of entries in the log, with one index probe for each. */
export async function listAuditKinds(on: Pick<Executor, 'execute'> = db()): Promise<AuditKind[]> {
  const rows = await on.execute(sql`
    with recursive kind as (
      (select action, entity_type, source from ${auditLogs} order by action, entity_type, source limit 1)
      union all
      select next.* from kind cross join lateral (
        select action, entity_type, source from ${auditLogs}
        where (action, entity_type, source) > (kind.action, kind.entity_type, kind.source)
        order by action, entity_type, source limit 1
      ) as next
    )
    select action, entity_type as "entityType", source from kind`);
  return z.array(kindSchema).parse([...rows]);
}

/** Lists entries, the newest first; `q` searches details, users and the entity of an entry ("order 12", "#12"). */
export async function listAuditLogs({ limit, offset, cursor, ...filter }: AuditLogQuery) {
  const list = await findList(filter);
  const [page, counted] = await Promise.all([
    readIdPage(auditLogs.id, { limit, offset, cursor }, (range) => readEntries(list, range)),
    countUpTo((most) => selectIds(list, { limit: most }), undefined, filter.q ? searchCountCap : countCap),
  ]);
  return { ...page, ...counted };
}

/** Reads all entries that match a filter in batches, the newest first. */
export async function* readAuditLogs(
  filter: AuditLogFilter,
  batchSize: number,
  on: Pick<Executor, 'select' | 'execute'> = db(),
): AsyncGenerator<AuditLogRow[]> {
  const list = await findList(filter, on);
  yield* readInBatches<AuditLogRow>(batchSize, (last) => {
    const where = last && lt(auditLogs.id, last.id);
    return readEntries(list, { where, orderBy: desc(auditLogs.id), limit: batchSize, offset: 0 }, on);
  });
}

/** Lists the latest changes, without sign-ins. The caller needs ViewAuditLogs. */
export async function listLatestChanges(limit: number): Promise<AuditLogRow[]> {
  const kinds = (await listAuditKinds()).filter(({ action }) => action !== 'session.started');
  return readEntries(
    { kinds, where: undefined, search: undefined },
    { where: undefined, orderBy: desc(auditLogs.id), limit, offset: 0 },
  );
}

/** What a filter selects. */
type AuditList = {
  /** The kinds to read; undefined for all. */
  kinds: AuditKind[] | undefined;
  /** The conditions on users and days. */
  where: SQL | undefined;
  search: AuditSearch | undefined;
};

type AuditSearch = {
  /** Matches the text and the other conditions of the filter. */
  matches: SQL | undefined;
  /** The kinds whose action contains the text. */
  actions: AuditKind[];
  /** The id of an entity, and its possible types. */
  entity: { id: string; types: string[]; where: SQL | undefined } | undefined;
};

async function findList(
  { q, action, user, entity, source, from, to }: AuditLogFilter,
  on: Pick<Executor, 'execute'> = db(),
): Promise<AuditList> {
  const hasKinds = Boolean(action || user || entity || source);
  const [all, dates] = await Promise.all([
    hasKinds || q ? listAuditKinds(on) : [],
    from || to ? findDates(from, to, on) : undefined,
  ]);
  const kinds = all.filter(
    (kind) =>
      (!action || kind.action === action) &&
      (!entity || kind.entityType === entity) &&
      (!source || kind.source === source),
  );
  const where = and(
    user ? (user === systemUser ? isNull(auditLogs.userId) : eq(auditLogs.userId, user)) : undefined,
    dates,
  );
  const isOfKind = and(
    action ? eq(auditLogs.action, action) : undefined,
    entity ? eq(auditLogs.entityType, entity) : undefined,
    source ? eq(auditLogs.source, source) : undefined,
  );
  return { kinds: hasKinds ? kinds : undefined, where, search: q ? findSearch(q, kinds, isOfKind) : undefined };
}

/** The newest entries, which a short search covers. */
export const recentEntries = 50_000;
const isRecent = sql`${auditLogs.id} > (select max(recent.id) - ${recentEntries} from ${auditLogs} as recent)`;

/** Checks whether a search is too short for the index: it needs three characters, or the start or end of a word. */
export const isShortSearch = (text: string): boolean =>
  !/[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u.test(text);

function findSearch(text: string, kinds: AuditKind[], isOfKind: SQL | undefined): AuditSearch {
  const [, type, id] = /^(?:([a-z]+) )?#?([\w-]{1,64})$/i.exec(text) ?? [];
  const types = [...new Set(kinds.map(({ entityType }) => entityType))];
  return {
    matches: and(isOfKind, textContains(auditSearchText, text), isShortSearch(text) ? isRecent : undefined),
    actions: kinds.filter(({ action }) => action.toLowerCase().includes(text.toLowerCase())),
    entity: id
      ? { id, types: types.filter((known) => !type || known === type.toLowerCase()), where: isOfKind }
      : undefined,
  };
}

const idBounds = z.tuple([z.object({ first: z.coerce.number(), last: z.coerce.number() })]);

/**
 * Finds the condition of a range of days: the exact bounds of their ids, with three index probes a day, so that the list
 * is read in the order of ids; and the times, because a long transaction writes its entries out of order.
 */
async function findDates(from = '0001-01-01', to = '9999-12-31', on: Pick<Executor, 'execute'> = db()) {
  const isWithin = sql`${auditLogDay} between ${from}::date and ${to}::date`;
  const [{ first, last }] = idBounds.parse([
    ...(await on.execute(sql`
      with recursive found(day) as (
        (select ${auditLogDay} from ${auditLogs} where ${isWithin} order by ${auditLogDay} limit 1)
        union all
        select next.day from found cross join lateral (
          select ${auditLogDay} as day from ${auditLogs} where ${isWithin} and ${auditLogDay} > found.day
          order by ${auditLogDay} limit 1
        ) as next
      )
      select coalesce(min(bounds.first), 0) as first, coalesce(max(bounds.last), 0) as last
      from found cross join lateral (
        select (select id from ${auditLogs} where ${auditLogDay} = found.day order by id limit 1) as first,
          (select id from ${auditLogs} where ${auditLogDay} = found.day order by id desc limit 1) as last
      ) as bounds`)),
  ]);
  return and(
    gte(auditLogs.id, first),
    lte(auditLogs.id, last),
    // Not by day: the planner would read the index of days and sort.
    gte(auditLogs.timestamp, sql`${from}::timestamp at time zone 'UTC'`),
    lt(auditLogs.timestamp, sql`(${to}::date + 1)::timestamp at time zone 'UTC'`),
  );
}

type IdsRange = Partial<IdRange> & { limit: number };

/**
 * Selects the ids of a range, without an order in any order. Each part is read along its own index in the order of ids,
 * only as far as the range.
 */
function selectIds({ kinds, where, search }: AuditList, range: IdsRange): SQL {
  const { orderBy, offset = 0, limit } = range;
  const end = sql`${orderBy && sql`order by ${orderBy}`} limit ${limit + offset}`;
  const base = and(where, range.where);
  const part = (condition: SQL | undefined) => sql`
    select ${auditLogs.id} from ${auditLogs} where ${and(base, condition) ?? sql`true`} ${end}`;
  const ofKinds = (some: AuditKind[]) => sql`
    select ${auditLogs}.id from unnest(
      ${sql.param(some.map(({ action }) => action))}::text[],
      ${sql.param(some.map(({ entityType }) => entityType))}::text[],
      ${sql.param(some.map(({ source }) => source))}::text[]
    ) as kind(action, type, source) cross join lateral (${part(
      and(
        sql`${auditLogs.action} = kind.action`,
        sql`${auditLogs.entityType} = kind.type`,
        sql`${auditLogs.source} = kind.source`,
      ),
    )}) as ${auditLogs} ${end}`;
  const ofEntity = ({ id, types, where }: NonNullable<AuditSearch['entity']>) => sql`
    select ${auditLogs}.id from unnest(${sql.param(types)}::text[]) as entity(type) cross join lateral (${part(
      and(sql`${auditLogs.entityType} = entity.type`, eq(auditLogs.entityId, id), where),
    )}) as ${auditLogs} ${end}`;
  const parts = search
    ? [part(search.matches), ofKinds(search.actions), ...(search.entity ? [ofEntity(search.entity)] : [])]
    : [kinds ? ofKinds(kinds) : part(undefined)];
  const ids = sql.join(
    parts.map((one) => sql`(${one})`),
    sql` union `,
  );
  return sql`(select id from (${ids}) as ${auditLogs} ${orderBy && sql`order by ${orderBy}`} limit ${limit} offset ${offset})`;
}

const readEntries = (list: AuditList, range: IdRange, on: Pick<Executor, 'select'> = db()): Promise<AuditLogRow[]> =>
  on
    .select()
    .from(auditLogs)
    .where(sql`${auditLogs.id} in ${selectIds(list, range)}`)
    .orderBy(range.orderBy);

/** Returns null for an unknown id. */
export async function getAuditLog(id: number): Promise<AuditLogRow | null> {
  const [row] = await db().select().from(auditLogs).where(eq(auditLogs.id, id));
  return row ?? null;
}

type Seal = Pick<typeof auditSeals.$inferSelect, 'position' | 'hash' | 'keyId'>;

/** Finds an entry's place in the chain, its hash and the key (docs/internals/audit.md); null while it is not sealed. */
export async function getSeal(auditId: number): Promise<Seal | null> {
  const [seal] = await db()
    .select({ position: auditSeals.position, hash: auditSeals.hash, keyId: auditSeals.keyId })
    .from(auditSeals)
    .where(eq(auditSeals.auditId, auditId));
  return seal ?? null;
}

/** Lists users with entries, by email, as options of the filter: at most 500, of the first 1,000 users. */
export async function listAuditUsers(): Promise<{ id: string; user: string }[]> {
  const first = db()
    .select({ id: users.id, email: users.email })
    .from(users)
    .orderBy(sql`lower(${users.email})`)
    .limit(1_000)
    .as('first');
  return db()
    .select({ id: first.id, user: first.email })
    .from(first)
    .where(sql`exists (select from ${auditLogs} where ${auditLogs.userId} = ${first.id})`)
    .limit(500);
}

/** Finds the user selected in the filter, by the name in one of the entries; null without entries. */
export async function findAuditUser(id: string): Promise<{ id: string; user: string } | null> {
  const [row] = await db().select({ user: auditLogs.user }).from(auditLogs).where(eq(auditLogs.userId, id)).limit(1);
  return row ? { id, ...row } : null;
}
