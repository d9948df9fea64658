import { db } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { getProject } from '@/lib/projects/projects';
import { decideSpend, type SpendDecision } from './decide-spend';
import { readSpendFacts, type Wanted } from './facts';

type SpendPreview = {
  projectId: string;
  /** The total with tax, in USD cents. */
  totalCents: number;
  /** The sites with the `rel` of their briefs, or a package with `siteId: null`. */
  items: readonly Wanted[];
};

/**
 * Decides what an order of the actor would meet now, for a screen before the order. The order decides again.
 * @throws AppError not_found for a project that the actor does not see
 */
export async function previewSpend(
  actor: Actor,
  { projectId, totalCents, items }: SpendPreview,
): Promise<SpendDecision> {
  await getProject(actor, projectId);
  const { accountId, userId: memberId } = actor;
  return decideSpend(await readSpendFacts(db(), { accountId, memberId, projectId }, { totalCents, items }));
}
