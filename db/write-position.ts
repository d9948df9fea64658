import { type SQL, sql } from 'drizzle-orm';
import { env } from '@/lib/env';
import { db } from './client';
import { databaseTimelines, writePositions } from './schema/write-positions';

/** What the reads of a request must see. The positions are of the write-ahead log ("16/B374D848"). */
export type Seen = {
  /** The mark of the primary's timeline (db/schema/write-positions.ts); empty until it has one. */
  mark: string;
  /** The position of the last change of the request's user or account. */
  written: string;
  /** The position of the primary when it authenticated the request. */
  primary: string;
};

/** How far others' changes may lag behind on a replica that is read, in seconds. */
const maxLagSeconds = 10;

const system = sql`(select system_identifier::text from pg_control_system())`;
/** The timeline of the server that evaluates it; null for a standby, which shows it to monitoring roles only. */
const timeline = sql`case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end`;

export const hasReplicas = (): boolean => env().DATABASE_READ_URL !== undefined;

/**
 * Selects, with the session or token of a request, what its reads must see; null without replicas, and on a server that
 * accepts no writes, as during a failover.
 * @param owners expressions for the ids of the user and the account
 */
export function selectSeen(...owners: SQL[]): SQL<string | null> {
  if (!hasReplicas()) return sql<string | null>`null::text`;
  const list = sql.join(owners, sql`, `);
  return sql<string | null>`case when not pg_is_in_recovery() then concat_ws(',',
    pg_current_wal_insert_lsn(),
    (select coalesce(max(${writePositions.position}), '0/0') from ${writePositions} where ${writePositions.owner} in (${list})),
    (select ${databaseTimelines.mark} from ${databaseTimelines}
      where ${databaseTimelines.system} = ${system} and ${databaseTimelines.timeline} = ${timeline})) end`;
}

/** Parses the text of `selectSeen`. */
export function parseSeen(text: string | null): Seen | undefined {
  const [primary, written, mark = ''] = text?.split(',') ?? [];
  return primary && written ? { mark, written, primary } : undefined;
}

/**
 * Builds the condition that a server is a replica of the primary which shows the changes of the user and the account, and
 * lacks those of others for at most ten seconds: it has replayed what the primary had written when the request was
 * authenticated, or its last transaction is not older. As the first statement of a READ COMMITTED transaction it holds for
 * all later ones. It is null on a server that does not show the mark: of another installation, of another timeline, or one
 * that has not replayed the mark yet.
 */
export const hasReplayed = ({ mark, written, primary }: Seen, lagSeconds = maxLagSeconds): SQL<boolean | null> => sql<
  boolean | null
>`(
  select case when ${mark} = newest then here >= ${written}::pg_lsn and (here >= ${primary}::pg_lsn
    or pg_last_xact_replay_timestamp() > now() - make_interval(secs => ${lagSeconds})) end
  from (select
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end as here,
    (select ${databaseTimelines.mark}::text from ${databaseTimelines} where ${databaseTimelines.system} = ${system}
      and ${databaseTimelines.timeline} = coalesce(${timeline}, ${databaseTimelines.timeline})
      order by ${databaseTimelines.timeline} desc limit 1) as newest) as server)`;

/**
 * Records that users or accounts changed something: their later requests, on any instance, must see the primary's position
 * of now. Call it after the commit.
 */
export async function recordWrite(owners: readonly string[]): Promise<void> {
  if (!hasReplicas()) return;
  // Sorted, so that two requests lock the rows in the same order.
  const ids = sql.param([...new Set(owners)].sort());
  await db().execute(sql`
    insert into ${writePositions} (owner, position) select id, pg_current_wal_insert_lsn() from unnest(${ids}::text[]) as id
    on conflict (owner) do update set position = excluded.position where excluded.position > write_positions.position`);
}

const holder: typeof globalThis & { linkmarketIsMarking?: boolean } = globalThis;

/**
 * Marks the primary's timeline for replicas to replay. Until a replica has, the primary is read. A replica that shows the
 * mark has replayed all that was written before it, so the positions are removed: after a restored dump, they are those of
 * another write-ahead log.
 */
export async function markTimeline(): Promise<void> {
  if (holder.linkmarketIsMarking) return;
  holder.linkmarketIsMarking = true;
  try {
    await db().execute(sql`
      with marked as (
        insert into ${databaseTimelines} (system, timeline) select ${system}, ${timeline} on conflict do nothing returning mark
      )
      delete from ${writePositions} where exists (select from marked)`);
  } finally {
    holder.linkmarketIsMarking = false;
  }
}
