import type { ProviderMode } from '@/db/schema/topups';
import { ProviderError } from './provider';

/** A batch of payouts to send. */
type PayoutBatchRequest = {
  /** Our id of the batch: repeated requests with it create one batch. */
  id: string;
  /** Raised when payouts that the provider rejected were left out: another batch for the provider. */
  revision: number;
  /** The text in the provider's mail to the recipients. */
  subject: string;
  payouts: readonly {
    id: string;
    /** What the recipient gets, in integer minor units of `currency` (upper case). */
    amountMinor: number;
    currency: string;
    /** The email address of the recipient's account. */
    receiver: string;
  }[];
};

/**
 * What the provider states about one payout.
 *
 * - `open`: not decided, or in a state that we do not know
 * - `unclaimed`: sent, but the recipient has no account yet; it can be canceled
 * - `paid`
 * - `failed`: never executed
 * - `returned`: executed, and the money was returned
 */
export type PayoutEvidence = {
  /** The provider's id of the payout. */
  reference: string;
  /** The provider's id of its batch. */
  batchReference: string;
  /** Our id of the payout, as it was sent; null when the provider names none. */
  payoutId: string | null;
  outcome: 'open' | 'unclaimed' | 'paid' | 'failed' | 'returned';
  /** The provider's name of the state, for staff. */
  status: string;
  /** Integer minor units of `currency` (upper case). */
  amountMinor: number;
  currency: string;
  /** The provider's fee in USD cents; null for a fee in another currency, which cannot be booked. */
  feeCents: number | null;
  /** The transaction that the provider's statement lists; null before it exists. */
  transactionId: string | null;
  /** Why it is unclaimed, failed or returned; empty if the provider states no reason. */
  reason: string;
};

/** What the provider states about a batch. `denied`: none of its payouts is executed. */
export type PayoutBatchEvidence = {
  reference: string;
  /** Our id of the batch, as it was sent; null when the provider names another one. */
  batchId: string | null;
  outcome: 'open' | 'denied' | 'done';
  payouts: PayoutEvidence[];
};

/**
 * A provider that pays sellers from the operator's balance. Methods throw ProviderError when the provider does not
 * respond, refuses, or sends an invalid response.
 */
export type PayoutRail = {
  readonly mode: ProviderMode;
  /** The account that sends, e.g. the client id of the app. Repeated requests are recognized within one account. */
  readonly account: string;
  /**
   * Creates a batch, or returns the one that an earlier request with its id created.
   * @returns the provider's id of the batch
   * @throws PayoutRefusal when the provider states that this request created nothing
   */
  sendBatch(batch: PayoutBatchRequest): Promise<string>;
  /** Retrieves a batch with all its payouts. */
  findBatch(reference: string): Promise<PayoutBatchEvidence>;
  /** Retrieves the batch that an event is about, by the id of the batch or of one of its payouts; without payouts. */
  identifyBatch(subject: { object: 'payout' | 'payout_batch'; id: string }): Promise<{ reference: string }>;
  /** Cancels an unclaimed payout, whose money is returned. */
  cancelUnclaimed(reference: string): Promise<PayoutEvidence>;
};

/** The provider rejected a batch before it created anything. */
export class PayoutRefusal extends ProviderError {
  constructor(
    reason: string,
    /** The same request is rejected again: it cannot be sent. Otherwise a cause outside of it can be removed. */
    readonly isFinal: boolean,
    /** Our ids of the payouts that it rejected the batch for; empty when it named none. */
    readonly payoutIds: readonly string[] = [],
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}
