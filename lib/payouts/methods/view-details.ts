import { eq } from 'drizzle-orm';
import type { z } from 'zod';
import { db } from '@/db/client';
import { payoutMethods, payouts } from '@/db/schema/payouts';
import type { Actor } from '@/lib/access/actor';
import { payoutNotFoundError } from '@/lib/payouts/move-payout';
import { recordAudit } from '@/lib/platform/audit/record';
import type { MethodDetails } from './details';
import type { payoutMethodDetailsResponse } from './schemas';
import { nameOfMethod, openMethodDetails } from './show';

export type PayoutMethodDetailsView = z.output<typeof payoutMethodDetailsResponse>;

/**
 * Returns the details of the method that a payout goes to, for staff who pay it by hand. The audit log records it.
 * @throws AppError not_found
 */
export const viewMethodDetails = (actor: Actor, payoutId: string): Promise<PayoutMethodDetailsView> =>
  db().transaction(async (tx) => {
    const [method] = await tx
      .select({
        id: payoutMethods.id,
        sellerId: payoutMethods.sellerId,
        kind: payoutMethods.kind,
        lastFour: payoutMethods.lastFour,
        sealedDetails: payoutMethods.sealedDetails,
      })
      .from(payouts)
      .innerJoin(payoutMethods, eq(payoutMethods.id, payouts.methodId))
      .where(eq(payouts.id, payoutId));
    if (!method) throw payoutNotFoundError();
    await recordAudit(tx, actor, {
      action: 'payout_method.viewed',
      details: `${actor.email} viewed the details of the payout method ${nameOfMethod(method)}.`,
      entityType: 'payout',
      entityId: payoutId,
    });
    return toView(openMethodDetails(method));
  });

const none = {
  ...{ holder: null, addressLines: [], postalCode: null, town: null, country: null, iban: null, bic: null },
  ...{ accountNumber: null, routingNumber: null, accountType: null, email: null, text: null },
};

function toView(details: MethodDetails): PayoutMethodDetailsView {
  if (details.kind !== 'bank') return { ...none, ...details };
  const { format: _, ...fields } = details;
  return { ...none, ...fields };
}
