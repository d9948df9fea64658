import { createHmac, hkdfSync } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { siteViewDays, siteViewMarks } from '@/db/schema/site-views';
import { sites } from '@/db/schema/sites';
import { users } from '@/db/schema/users';
import { env } from '@/lib/env';
import { parseKeyRing } from '@/lib/platform/secrets';
import { isListed } from './catalogue/filter-sql';

/**
 * Counts that a buyer opened the details of a site: at most once per buyer, site and day (UTC), for the site's owner.
 * Counts nothing for a site that is not on sale, for its owner, and for users who are not buyers. Who looked is not
 * stored: a mark, from which neither buyer nor site can be read without SECRET_KEYS, prevents a second count, and is
 * deleted when the day is over. Call it after the response (lib/platform/lifecycle/run-after-response.ts).
 */
export async function countSiteView(siteId: number, userId: string, now = new Date()): Promise<void> {
  const day = now.toISOString().slice(0, 10);
  await db().execute(sql`
    with viewed as materialized (
      select ${sites.ownerId} as owner_id from ${sites}
      where ${sites.id} = ${siteId} and ${isListed} and ${sites.ownerId} <> ${userId}
        and exists (select from ${users} where ${users.id} = ${userId} and ${users.role} = 'User')
    ),
    first as (
      insert into ${siteViewMarks} (mark, day) select ${createMark([day, siteId, userId])}, ${day}::date from viewed
      on conflict do nothing returning mark
    )
    insert into ${siteViewDays} (owner_id, day, views) select owner_id, ${day}::date, 1 from viewed, first
    on conflict (owner_id, day) do update set views = site_view_days.views + 1`);
}

function createMark(parts: readonly (string | number)[]): string {
  const [first] = parseKeyRing(env().SECRET_KEYS);
  if (!first) throw new Error('SECRET_KEYS contains no key.');
  const key = Buffer.from(hkdfSync('sha256', first.key, '', 'linkmarket site views 1', 32));
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
}

/** The days before the current one (UTC) whose views a seller sees. */
export const viewedDays = 30;
/** Sellers see views in steps of this number. */
export const viewStep = 10;

const viewsRow = z.tuple([z.object({ isCounted: z.boolean(), views: z.coerce.number() })]);

/**
 * Returns the views of a seller's sites in the last 30 days without the current one, rounded down to tens; 0 for fewer
 * than ten. Steps and whole days keep a seller from telling when one buyer looked.
 * @returns null while the installation has counted no views
 */
export async function getSiteViews(ownerId: string, now = new Date()): Promise<number | null> {
  const today = sql`${now.toISOString().slice(0, 10)}::date`;
  const [{ isCounted, views }] = viewsRow.parse([
    ...(await db().execute(sql`
      select exists (select from ${siteViewDays} where ${siteViewDays.day} < ${today}) as "isCounted",
        (select coalesce(sum(${siteViewDays.views}), 0) from ${siteViewDays} where ${siteViewDays.ownerId} = ${ownerId}
          and ${siteViewDays.day} >= ${today} - ${viewedDays}::int and ${siteViewDays.day} < ${today}) as views`)),
  ]);
  return isCounted ? Math.floor(views / viewStep) * viewStep : null;
}
