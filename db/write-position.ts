import { type SQL, sql } from 'drizzle-orm';
import { env } from '@/lib/env';
import { db } from './client';
import { writePositions } from './schema/write-positions';

/** What the reads of a request must see: positions of the write-ahead log (db/schema/write-positions.ts). */
export type Seen = {
  /** Of the last change of the request's user or account; empty without one. */
  written: string;
  /** Of the primary when it authenticated the request. */
  primary: string;
};

/** How far others' changes may lag behind on a replica that is read, in seconds. */
const maxLagSeconds = 10;

const toHex = (lsn: SQL) =>
  sql`lpad(split_part(${lsn}::text, '/', 1), 8, '0') || lpad(split_part(${lsn}::text, '/', 2), 8, '0')`;

/** The position at which the primary inserts; null on a server that accepts no writes, as during a failover. */
const inserted = sql<string | null>`case when pg_is_in_recovery() then null
  else (select left(pg_walfile_name(lsn), 8) || ${toHex(sql`lsn`)} from pg_current_wal_insert_lsn() as lsn) end`;

/** The owner of the row with the newest timeline. A dump that is restored elsewhere brings rows of other systems. */
const system = sql`(select system_identifier::text from pg_control_system())`;

/**
 * The position that the server which evaluates it has replayed. PostgreSQL does not show the timeline of a standby to
 * everyone, so it is that of the row of `announceTimeline`: a standby that stayed behind on an old timeline lacks it.
 */
const replayed = sql`coalesce(
    (select left(position, 8) from ${writePositions} where owner = ${system}), '00000000'
  ) || ${toHex(sql`case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end`)}`;

export const hasReplicas = (): boolean => env().DATABASE_READ_URL !== undefined;

/**
 * Selects, with the session or token of a request, what its reads must see; null without replicas.
 * @param owners expressions for the ids of the user and the account
 */
export function selectSeen(...owners: SQL[]): SQL<string | null> {
  if (!hasReplicas()) return sql<string | null>`null::text`;
  const list = sql.join(owners, sql`, `);
  return sql<string | null>`${inserted} || ' ' || coalesce(
    (select max(position collate "C") from ${writePositions} where owner in (${list})), '')`;
}

/** Parses the text of `selectSeen`. */
export function parseSeen(text: string | null): Seen | undefined {
  const [primary = '', written = ''] = text?.split(' ') ?? [];
  return primary ? { primary, written } : undefined;
}

/**
 * Builds the condition that a replica shows the changes of the user and the account, and lacks those of others for at most
 * ten seconds: it has replayed what the primary had written when the request was authenticated, or its last transaction
 * is not older. As the first statement of a READ COMMITTED transaction it holds for all later ones.
 */
export const hasReplayed = ({ written, primary }: Seen, lagSeconds = maxLagSeconds): SQL<boolean> => sql<boolean>`(
  select here >= ${written}::text collate "C" and (here >= ${primary}::text collate "C"
    or pg_last_xact_replay_timestamp() > now() - make_interval(secs => ${lagSeconds}))
  from (select ${replayed} as here) as replayed)`;

/**
 * Records that users or accounts changed something: their later requests, on any instance, must see the primary's position
 * of now. Call it after the commit.
 */
export async function recordWrite(owners: readonly string[]): Promise<void> {
  if (!hasReplicas()) return;
  // Sorted, so that two requests lock the rows in the same order.
  const ids = sql.param([...new Set(owners)].sort());
  await db().execute(sql`
    insert into ${writePositions} (owner, position) select id, ${inserted} from unnest(${ids}::text[]) as id
    on conflict (owner) do update set position = excluded.position
      where excluded.position collate "C" > write_positions.position`);
}

const holder: typeof globalThis & { linkmarketTimeline?: string } = globalThis;

/**
 * Writes the primary's timeline for replicas to replay, once for each timeline that this process meets. Until a replica has
 * replayed it, the primary is read.
 */
export async function announceTimeline({ primary }: Seen): Promise<void> {
  const timeline = primary.slice(0, 8);
  if (holder.linkmarketTimeline === timeline) return;
  holder.linkmarketTimeline = timeline;
  try {
    await db().execute(sql`
      insert into ${writePositions} (owner, position) select ${system}, ${inserted}
      on conflict (owner) do update set position = excluded.position
        where left(excluded.position, 8) collate "C" > left(write_positions.position, 8)`);
  } catch (thrown) {
    holder.linkmarketTimeline = undefined;
    throw thrown;
  }
}
