import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { type AnchorKind, anchorKinds } from '@/db/enums';
import { cartItems, carts } from '@/db/schema/carts';
import type { Actor } from '@/lib/access/actor';
import { getProject } from '@/lib/projects/projects';
import { chooseAnchors, type ProposedAnchor } from './choose-anchors';
import { createClassifier } from './classify-anchor';
import { countByKind, listAnchors } from './count-anchors';
import { toTextKey } from './fold-text';
import { readStoredPlan } from './plan';
import { getAnchorSubject, listOwnTexts } from './subject';

/**
 * Proposes anchors for the next links of a project of the actor, so that its anchors approach the plan. The briefs in the
 * project's cart count as its orders and imported links do.
 * @throws AppError not_found, also for a project of another user
 */
export async function proposeAnchors(
  actor: Pick<Actor, 'userId'>,
  projectId: string,
  count: number,
): Promise<ProposedAnchor[]> {
  const project = await getProject(actor, projectId);
  const [{ plan, brandWords, pool }, anchors, inCart] = await Promise.all([
    readStoredPlan(projectId),
    listAnchors(projectId),
    listAnchorsInCart(projectId),
  ]);
  const subject = getAnchorSubject(project, brandWords);
  const texts = groupByKind(pool, createClassifier(subject));
  const choices = { ...listOwnTexts(project, brandWords), ...texts };
  const keys = new Set(Object.values(choices).flatMap((list) => list.map(toTextKey)));
  const written = inCart.filter(({ anchor }) => anchor.trim() !== '');
  const { all, uses } = await countByKind([...anchors, ...written], subject, keys);
  return chooseAnchors({ plan, counts: all, emptyBriefs: inCart.length - written.length, texts: choices, uses }, count);
}

const cartRows = z.array(z.object({ anchor: z.string() }));

/** Lists the anchors of the briefs in a project's cart; '' for a brief that leaves it empty, without those that have none. */
async function listAnchorsInCart(projectId: string) {
  const found = await db().execute(sql`
    select i.brief ->> 'anchor' as anchor from ${cartItems} i join ${carts} c on c.id = i.cart_id
    where c.project_id = ${projectId} and i.brief ->> 'anchor' is not null`);
  return cartRows.parse([...found]).map(({ anchor }) => ({ anchor, isImage: false, links: 1, days90: 1 }));
}

function groupByKind(
  texts: readonly string[],
  classify: ReturnType<typeof createClassifier>,
): Partial<Record<AnchorKind, string[]>> {
  const known = texts.map((text) => ({ text, kind: classify({ anchor: text, isImage: false }) }));
  return Object.fromEntries(
    anchorKinds
      .map((kind) => [kind, known.flatMap((one) => (one.kind === kind ? one.text : []))] as const)
      .filter(([, found]) => found.length > 0),
  );
}
