import { z } from 'zod';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { approveDelivery } from '@/lib/orders/placements/review';
import { versionField } from '@/lib/platform/http/fields';
import { maxApproved } from './amounts';
import { actAsBuyer } from './authorize';

/** The body of POST /api/orders/approve. */
export const approveDeliveriesBody = z.strictObject({
  ids: z
    .array(z.int().min(1).max(2_147_483_647), 'Choose at least one order.')
    .min(1, 'Choose at least one order.')
    .max(maxApproved, `Choose at most ${maxApproved} orders.`),
  versions: z
    .record(z.string().regex(/^[1-9]\d{0,9}$/), versionField)
    .optional()
    .describe(
      'The versions of the placements on which the request is based, by the number of the order; a stale one is refused.',
    ),
});

const approvalResult = z.object({
  id: z.int(),
  ok: z.boolean(),
  code: z.string().optional().describe('The error code, as of the request for one order: `not_found`, `conflict`.'),
  error: z.string().optional(),
});
export type ApprovalResult = z.output<typeof approvalResult>;

/** The response of POST /api/orders/approve, in the order of the request. */
export const approveDeliveriesResponse = z
  .object({ results: z.array(approvalResult) })
  .meta({ title: 'ApprovedDeliveries' });

/**
 * Approves several deliveries of the buyer, each in a transaction of its own by the verb for one: a refused one does not
 * undo the others. A failure that is not about an order ends the request; sent again, it continues.
 */
export async function approveDeliveries(
  actor: Actor,
  { ids, versions = {} }: z.output<typeof approveDeliveriesBody>,
): Promise<z.output<typeof approveDeliveriesResponse>> {
  const results: ApprovalResult[] = [];
  for (const id of new Set(ids)) {
    try {
      await actAsBuyer(actor, id, { version: versions[id] }, (tx, locked) =>
        approveDelivery(tx, actor, locked, { role: 'buyer' }),
      );
      results.push({ id, ok: true });
    } catch (thrown) {
      if (!(thrown instanceof AppError) || thrown.status >= 500) throw thrown;
      results.push({ id, ok: false, code: thrown.code, error: thrown.message });
    }
  }
  return { results };
}
