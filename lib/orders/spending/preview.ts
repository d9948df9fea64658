import { and, eq, isNull } from 'drizzle-orm';
import { db } from '@/db/client';
import { projects } from '@/db/schema/projects';
import { isInScope } from '@/lib/access/account-roles';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
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
  const [project] = await db()
    .select({ id: projects.id })
    .from(projects)
    .where(
      and(
        eq(projects.id, projectId),
        isInScope(actor, { accountId: projects.accountId, projectId: projects.id }),
        isNull(projects.deletedAt),
      ),
    );
  if (!project) throw new AppError('not_found', 'This project no longer exists. Select another one.');
  const { accountId, userId: memberId } = actor;
  return decideSpend(await readSpendFacts(db(), { accountId, memberId, projectId }, { totalCents, items }));
}
