import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '../../db/client';
import { sessions, users } from '../../db/schema/users';

const batchSize = 1_000;
const outcome = z.tuple([z.object({ last: z.string().nullable(), filled: z.number() })]);

/** The id up to which this process has examined the users; null once it has examined all. */
let examinedUpTo: string | null = '';

/**
 * Sets `lastSeenAt` of users who signed in before version 0.2 recorded it, from their sessions. Examines one batch of
 * users per run, and all of them once per process, because the next request of a user sets it anyway.
 */
export async function fillLastSeen(): Promise<{ filled: number }> {
  if (examinedUpTo === null) return { filled: 0 };
  const rows = await db().execute(sql`
    with examined as (
      select id from ${users} where id > ${examinedUpTo} order by id limit ${batchSize}
    ),
    filled as (
      update ${users} set last_seen_at = seen.at
      from examined, lateral (
        select max(${sessions.lastSeenAt}) as at from ${sessions} where ${sessions.userId} = examined.id
      ) as seen
      where ${users.id} = examined.id and ${users.lastSeenAt} is null and seen.at is not null
      returning 1
    )
    select (select max(id) from examined) as last, (select count(*)::int from filled) as filled`);
  const [{ last, filled }] = outcome.parse([...rows]);
  examinedUpTo = last;
  return { filled };
}
