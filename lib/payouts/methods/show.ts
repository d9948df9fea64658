import { and, eq, getTableColumns, inArray, isNull } from 'drizzle-orm';
import type { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { payoutMethods, payouts } from '@/db/schema/payouts';
import type { Actor } from '@/lib/access/actor';
import { payoutNotFoundError } from '@/lib/payouts/move-payout';
import type { Payout } from '@/lib/payouts/postings';
import { recordAudit } from '@/lib/platform/audit/record';
import { openSecret, type SecretSlot } from '@/lib/platform/secrets';
import {
  describeMethodKind,
  type MethodDetails,
  methodDetails,
  type payoutMethodDetailsResponse,
  type payoutMethodResponse,
} from './contract';

export type PayoutMethod = typeof payoutMethods.$inferSelect;

/** Returns the slot of sealed details: a copy in the row of another method or seller cannot be decrypted. */
export const payoutMethodSlot = ({ id, sellerId }: Pick<PayoutMethod, 'id' | 'sellerId'>): SecretSlot => ({
  provider: 'payout-method',
  mode: sellerId,
  field: id,
});

/** Returns a seller's current payout method, if any. */
export async function findPayoutMethod(sellerId: string, on: Executor = db()): Promise<PayoutMethod | undefined> {
  const [method] = await on
    .select()
    .from(payoutMethods)
    .where(and(eq(payoutMethods.sellerId, sellerId), isNull(payoutMethods.replacedAt)));
  return method;
}

/** Reads the current payout methods of sellers, by the seller's id. */
export async function listPayoutMethods(
  sellerIds: readonly string[],
  on: Executor = db(),
): Promise<ReadonlyMap<string, PayoutMethod>> {
  const isCurrent = and(inArray(payoutMethods.sellerId, [...sellerIds]), isNull(payoutMethods.replacedAt));
  const methods = sellerIds.length === 0 ? [] : await on.select().from(payoutMethods).where(isCurrent);
  return new Map(methods.map((method) => [method.sellerId, method]));
}

/**
 * Decrypts the details of a payout method, for the payment and for staff with ManagePayouts. No answer to a seller
 * contains them.
 * @throws UnreadableSecret when they belong to another row or need a key that is not in SECRET_KEYS
 */
export function openMethodDetails(method: Pick<PayoutMethod, 'id' | 'sellerId' | 'sealedDetails'>): MethodDetails {
  return methodDetails.parse(JSON.parse(openSecret(payoutMethodSlot(method), method.sealedDetails)));
}

/** Reads the methods of payouts. @returns the details of a payout's method; undefined where it is not its seller's */
export async function openMethodsOf(tx: Executor, payouts: readonly Payout[]) {
  const ids = payouts.map(({ methodId }) => methodId);
  const methods = await tx.select().from(payoutMethods).where(inArray(payoutMethods.id, ids));
  return (payout: Payout): MethodDetails | undefined => {
    const method = methods.find(({ id, sellerId }) => id === payout.methodId && sellerId === payout.sellerId);
    return method && openMethodDetails(method);
  };
}

export type PayoutMethodView = z.output<typeof payoutMethodResponse>;

/** Returns a payout method as its seller sees it: at most four characters of the details. */
export function payoutMethodView(method: PayoutMethod | undefined): PayoutMethodView {
  if (!method) return { kind: null, lastFour: null, usableAt: null, createdAt: null };
  return {
    kind: method.kind,
    lastFour: method.lastFour,
    usableAt: method.usableAt.toISOString(),
    createdAt: method.createdAt.toISOString(),
  };
}

/** Returns the name of a payout method in logs, mails and notifications, e.g. "Bank account •••• 1234". */
export const nameOfMethod = ({ kind, lastFour }: Pick<PayoutMethod, 'kind' | 'lastFour'>): string =>
  `${describeMethodKind(kind)}${lastFour ? ` •••• ${lastFour}` : ''}`;

export type PayoutMethodDetailsView = z.output<typeof payoutMethodDetailsResponse>;

/**
 * Returns the details of the method that a payout goes to, for staff who pay it by hand. The audit log records it.
 * @throws AppError not_found
 */
export const viewMethodDetails = (actor: Actor, payoutId: string): Promise<PayoutMethodDetailsView> =>
  db().transaction(async (tx) => {
    const [method] = await tx
      .select(getTableColumns(payoutMethods))
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
