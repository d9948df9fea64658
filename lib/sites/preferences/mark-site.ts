import { and, count, eq, ne } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { siteMarks } from '@/db/schema/site-preferences';
import { sites } from '@/db/schema/sites';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { isListed } from '@/lib/sites/catalogue/listed';
import { lockPreferences } from './save-filter';
import { type MarkSiteInput, maxSiteMarks } from './schemas';

/**
 * Sets or removes a mark on a site: favourite or hidden. A site has at most one mark of a user, so setting one removes
 * the other. Idempotent.
 * @throws AppError not_found for a site that is not listed, conflict if the user has too many marks
 */
export async function markSite(actor: Actor, { siteId, kind, on }: MarkSiteInput): Promise<void> {
  await db().transaction(async (tx) => {
    await lockPreferences(tx, actor.userId);
    const own = eq(siteMarks.userId, actor.userId);
    if (!on) {
      await tx.delete(siteMarks).where(and(own, eq(siteMarks.kind, kind), eq(siteMarks.siteId, siteId)));
      return;
    }
    await requireListed(tx, siteId);
    await tx.delete(siteMarks).where(and(own, ne(siteMarks.kind, kind), eq(siteMarks.siteId, siteId)));
    const made = await tx
      .insert(siteMarks)
      .values({ userId: actor.userId, kind, siteId })
      .onConflictDoNothing()
      .returning({ siteId: siteMarks.siteId });
    if (made.length > 0) await requireBelowLimit(tx, actor.userId, kind);
  });
}

async function requireListed(tx: Executor, siteId: number): Promise<void> {
  const [site] = await tx
    .select({ id: sites.id })
    .from(sites)
    .where(and(eq(sites.id, siteId), isListed));
  if (!site) throw new AppError('not_found', 'This site is no longer on sale.');
}

async function requireBelowLimit(tx: Executor, userId: string, kind: MarkSiteInput['kind']): Promise<void> {
  const [marks] = await tx
    .select({ total: count() })
    .from(siteMarks)
    .where(and(eq(siteMarks.userId, userId), eq(siteMarks.kind, kind)));
  if ((marks?.total ?? 0) <= maxSiteMarks) return;
  const what = kind === 'favourite' ? 'favourites' : 'hidden sites';
  throw new AppError('conflict', `You can have at most ${maxSiteMarks.toLocaleString('en-US')} ${what}.`);
}
