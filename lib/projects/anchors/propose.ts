import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { anchorKinds } from '@/db/enums';
import { cartItems, carts } from '@/db/schema/carts';
import type { AccountScope } from '@/lib/access/actor';
import { chooseAnchors, type ProposedAnchor } from './choose-anchors';
import { countByKind } from './count-anchors';
import { toTextKey } from './fold-text';
import { readAnchorState } from './plan';

/**
 * Proposes anchors for the next links of a project of the actor, so that its anchors approach the plan. The briefs in the
 * project's cart count as its orders and imported links do.
 * @throws AppError not_found, also for a project of another user
 */
export async function proposeAnchors(actor: AccountScope, projectId: string, count: number): Promise<ProposedAnchor[]> {
  const [{ stored, subject, texts, all, uses }, inCart] = await Promise.all([
    readAnchorState(actor, projectId),
    listAnchorsInCart(projectId),
  ]);
  const written = inCart.filter(({ anchor }) => anchor.trim() !== '');
  const ofCart = await countByKind(written, subject);
  const counts = { ...all };
  for (const kind of anchorKinds) counts[kind] += ofCart.all[kind];
  const used = new Map(uses);
  for (const key of written.map(({ anchor }) => toTextKey(anchor))) used.set(key, (used.get(key) ?? 0) + 1);
  const emptyBriefs = inCart.length - written.length;
  return chooseAnchors({ plan: stored.plan, counts, emptyBriefs, texts, uses: used }, count);
}

const cartRows = z.array(z.object({ anchor: z.string() }));

/** Lists the anchors of the briefs in a project's cart; '' for a brief that leaves it empty, without those that have none. */
async function listAnchorsInCart(projectId: string) {
  const found = await db().execute(sql`
    select i.brief ->> 'anchor' as anchor from ${cartItems} i join ${carts} c on c.id = i.cart_id
    where c.project_id = ${projectId} and i.brief ->> 'anchor' is not null`);
  return cartRows.parse([...found]).map(({ anchor }) => ({ anchor, isImage: false, links: 1, days90: 1 }));
}
