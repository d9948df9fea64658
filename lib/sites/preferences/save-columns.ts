import { db } from '../../../db/client';
import { marketplaceViews } from '../../../db/schema/site-preferences';
import type { Actor } from '../../auth/actor';
import { type SiteColumn, siteColumns } from '../columns';

/** Which columns the actor wants to see in the marketplace, on every device; none is a choice as well. */
export async function saveColumns(actor: Actor, chosen: readonly SiteColumn[]): Promise<void> {
  const columns = siteColumns.filter((name) => chosen.includes(name));
  await db()
    .insert(marketplaceViews)
    .values({ userId: actor.userId, columns })
    .onConflictDoUpdate({ target: marketplaceViews.userId, set: { columns, updatedAt: new Date() } });
}
