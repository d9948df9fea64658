import type { sourceRefunds } from '@/db/schema/source-refunds';
import { refundTransitAccount, type Transfer, walletAccount } from '@/lib/ledger/post-transfer';
import { providerNames } from '@/lib/payments/providers/names';

export type SourceRefund = typeof sourceRefunds.$inferSelect;

/** Returns the subject of the approval of a buyer's request by a second person. */
export const refundSubject = (id: string): string => `source_refund:${id}`;

/** Returns the key of a refund's debit. The proof of the books has it too (lib/ledger/proof/payout-checks.ts). */
const keyOf = ({ id }: SourceRefund) => `source-refund:${id}`;

const common = (refund: SourceRefund, actorId: string | null) => ({
  amountCents: refund.amountCents,
  currency: refund.currency,
  actorId,
  method: providerNames[refund.provider],
  // `topupId` prevents the deletion of the credit; `mode` marks test money.
  meta: { topupId: refund.topupId, provider: refund.provider, mode: refund.mode, refundId: refund.id },
});

/** Takes the amount from the wallet, before the provider is called. */
export const heldPosting = (refund: SourceRefund, actorId: string | null): Transfer => ({
  ...common(refund, actorId),
  key: keyOf(refund),
  kind: 'source_refund',
  from: walletAccount(refund.accountId),
  to: refundTransitAccount(refund.provider),
  note: `Refund by ${providerNames[refund.provider]}`,
});

export const returnedKey = (refund: SourceRefund) => `${keyOf(refund)}:returned`;

/** Returns the amount of a refund that the provider did not make to the wallet. */
export const returnedPosting = (refund: SourceRefund, actorId: string | null): Transfer => ({
  ...common(refund, actorId),
  key: returnedKey(refund),
  kind: 'source_refund_return',
  from: refundTransitAccount(refund.provider),
  to: walletAccount(refund.accountId),
  note: `Refund by ${providerNames[refund.provider]} was not made`,
});
