import type { PaymentProviderName, ProviderMode } from '@/db/schema/topups';
import { AppError } from '@/lib/errors';
import type { RateCurrency } from '@/lib/money';
import type { SettlementReader } from './settlement-reader';

export type CheckoutRequest = {
  topupId: string;
  /** Integer minor units of `currency`. */
  amountMinor: number;
  currency: string;
  /** Description on the provider's page. */
  description: string;
  customerEmail: string;
  /** WeChat requires the IP address and uses another payment flow on a phone. */
  buyer: { ip: string; isMobile: boolean };
  /** Absolute URL of our page after payment; a provider may append its own reference. */
  successUrl: string;
  /** Absolute URL of our page after cancellation. */
  cancelUrl: string;
  expiresAt: Date;
};

/** The created checkout: its reference at the provider, and the page where the buyer pays. */
export type Checkout = {
  reference: string;
  url: string;
  /** Content of the QR code that our page at `url` shows when the buyer pays with a phone. */
  payCode?: string;
};

/** A request to refund a payment, or a part of it. */
export type RefundRequest = {
  /** Our id of the refund: the idempotency key, which the provider's refund names. */
  refundId: string;
  topupId: string;
  /** The payment, and its checkout at the provider. */
  paymentReference: string;
  providerReference: string | null;
  /** Integer minor units of `currency`. */
  amountMinor: number;
  currency: string;
  /** The amount of the whole payment, in the same currency. */
  chargeAmountMinor: number;
};

type EvidenceBase = {
  about: 'payment';
  /** The provider's checkout, e.g. a Stripe session id; null when evidence about a payment names none. */
  providerReference: string | null;
  /** The top-up that it names, or null. */
  topupId: string | null;
  mode: ProviderMode;
  /** The amount charged or to be charged: integer minor units of `currency` (upper case). */
  amountMinor: number;
  currency: string;
};

/** Why a provider refuses to collect an approved payment. */
export type CollectionRefusal = {
  /**
   * payer_action: the buyer chooses another payment method or confirms, in the same checkout; merchant_action: our
   * account at the provider has to be changed; final: this checkout can never be paid; temporary: a retry may succeed.
   */
  kind: 'payer_action' | 'merchant_action' | 'final' | 'temporary';
  /** The provider's error code, e.g. INSTRUMENT_DECLINED. */
  code: string;
  /** The id by which the provider's support finds the response. */
  debugId?: string;
};

/**
 * What a provider states about a payment, in a signed webhook event or an API response. `pending`: not decided.
 * `cancelled`: closed by the buyer, with nothing charged.
 */
export type PaymentEvidence =
  | (EvidenceBase & {
      outcome: 'paid';
      /** The provider's payment object; the key of the ledger transfer contains its id. */
      paymentReference: string;
    })
  | (EvidenceBase & {
      outcome: 'pending' | 'failed' | 'expired' | 'cancelled';
      /** The buyer approved: `retrieveCheckout` would collect the money. */
      isCollectable?: boolean;
      /** Why the provider did not collect the approved payment. */
      refusal?: CollectionRefusal;
      /** The provider's page where the buyer continues the same checkout. */
      payerActionUrl?: string;
    });

/**
 * What a provider states about a refund or a dispute of a payment. Each has its own id at the provider and is reported
 * several times, in any order.
 */
export type ReversalEvidence = {
  about: 'reversal';
  kind: 'refund' | 'dispute';
  /** The id of the refund or dispute at the provider. */
  reference: string;
  /** The payment it belongs to; see `paid` above. */
  paymentReference: string;
  /** The top-up that it names, or null. */
  topupId: string | null;
  mode: ProviderMode;
  /** Integer minor units of `currency` (upper case). */
  amountMinor: number;
  currency: string;
  /**
   * kept: no money moved; taken: the money left our account; returned: the money was reinstated, or a refund failed.
   */
  money: 'kept' | 'taken' | 'returned';
  /** The outcome of a dispute; null while it is open, and for refunds. */
  outcome: 'won' | 'lost' | null;
  /** Of the provider's dispute: its reason, and the deadline for evidence. */
  dispute?: { reason: string | null; evidenceDueBy: Date | null };
  /**
   * For a won dispute whose withdrawal the provider reports under another id: the amount it reinstated, in minor units.
   * Null: the event does not state it.
   */
  returnedMinor?: number | null;
  /** When the state was reached by the provider's clock, if stated. */
  happenedAt?: Date;
  /** Of a refund: the id of our refund that it names, or null. */
  refundId?: string | null;
  /** Of a refund: whether the provider still works on it although its money was taken. */
  isPending?: boolean;
  /** Of a refund that is stuck at the provider: what staff must do there. */
  problem?: string;
};

export type Evidence = PaymentEvidence | ReversalEvidence;

/**
 * A provider object that an event is about, by its id alone. A signature proves only that the sender knows a secret, so
 * amounts and states are never read from an event but from `PaymentProvider.retrieveEvidence`.
 *
 * - `checkout`: the reference returned by `createCheckout`
 * - `payment`: one payment
 * - `refunds`: every refund of the payment with this id
 * - `refund`, `dispute`: one of them
 * - `reversal`: a withdrawal by the provider that it lists among the refunds
 * - `payout_batch`, `payout`: payouts to sellers, which have no evidence about payments
 */
export type EventSubject = {
  object: 'checkout' | 'payment' | 'refunds' | 'refund' | 'reversal' | 'dispute' | 'payout_batch' | 'payout';
  id: string;
};

/** A webhook event whose signature was verified. */
export type ProviderEvent = {
  eventId: string;
  type: string;
  /** The mode whose secret verified the event, not the mode it states. */
  mode: ProviderMode;
  payload: unknown;
  /**
   * The objects to retrieve; empty for event types that do not concern payments.
   * @throws ProviderError when the payload lacks a required field; the event is stored by then
   */
  subjects(): EventSubject[];
};

/** An event from a provider's list, with the top-up that it names; null when only the provider's object names it. */
export type ListedEvent = ProviderEvent & { topupId: string | null };

/**
 * A provider's list of past events, for events whose webhook never arrived. The list comes from the provider's API, so
 * its entries need no signature.
 */
export type EventLog = {
  /** Number of days for which the provider lists events. */
  retentionDays: number;
  /** How long after its timestamp an event may be added or changed. */
  overlapMs: number;
  /** The time until which the list is complete. */
  completeUntil(now: Date): Date;
  /**
   * Lists pages of events between `from` (inclusive) and `until` (exclusive), in any order. Events shortly outside this
   * range may be included.
   * @throws ProviderError when the provider does not respond, or the list is not available yet
   */
  list(from: Date, until: Date): AsyncIterable<ListedEvent[]>;
};

/**
 * One provider in one mode: the port between the application and Stripe, PayPal or WeChat Pay. Methods throw
 * ProviderError when the provider does not respond, refuses, or sends an invalid response.
 */
export type PaymentProvider = {
  readonly name: PaymentProviderName;
  readonly mode: ProviderMode;
  /** The currency in which buyers are charged. */
  readonly currency: RateCurrency;
  /** For a provider where we choose the checkout's reference: the reference, known before the request. */
  getReference?(topupId: string): string;
  /** Idempotent: the provider creates one checkout per top-up. */
  createCheckout(request: CheckoutRequest): Promise<Checkout>;
  /** Retrieves a checkout's state and top-up; moves no money. */
  findCheckout(reference: string): Promise<PaymentEvidence>;
  /** Retrieves a checkout's state. Collects an approved payment. */
  retrieveCheckout(reference: string): Promise<PaymentEvidence>;
  /** Closes an unpaid checkout and returns its state afterwards, which may be `paid`. */
  cancelCheckout(reference: string): Promise<PaymentEvidence>;
  /**
   * Returns the amount reinstated for a won dispute in minor units; `all` when the payment is complete again; null when
   * the provider does not state it. For providers that report withdrawals for disputes under another id.
   */
  findReturnedAmount?(dispute: { reference: string; paymentReference: string }): Promise<number | 'all' | null>;
  /**
   * Refunds a payment. Idempotent by `refundId`.
   * @throws ProviderRefusal when the provider does not make the refund
   */
  refundPayment(request: RefundRequest): Promise<ReversalEvidence>;
  /**
   * Finds the refund that names `refundId`, for a refund whose response was lost or that is in progress.
   * @returns null when the provider has none
   */
  findRefund(request: RefundRequest): Promise<ReversalEvidence | null>;
  /**
   * Verifies and parses a webhook event.
   * @returns null when it is not signed with this mode's secret, or the signature is too old
   */
  parseWebhook(raw: Buffer, headers: Pick<Headers, 'get'>): Promise<ProviderEvent | null>;
  /**
   * Retrieves the object of an event from the provider's API: the only evidence used for an event.
   * @throws ProviderError when the provider does not respond or does not find the object
   */
  retrieveEvidence(subject: EventSubject): Promise<Evidence[]>;
  /** Parses a stored payload whose signature was verified on receipt. */
  parseStored(payload: unknown): ProviderEvent;
  readonly eventLog: EventLog;
  /** The provider's account statement: payments, fees and payouts. */
  readonly settlement: SettlementReader;
  /** For a provider that pays sellers. */
  readonly payouts?: PayoutRail;
};

/** A failed request to a provider. Users see `message`; `reason` is for staff and contains no secret. */
export class ProviderError extends AppError {
  constructor(
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super('provider_failed', 'The payment provider could not be reached. Please try again.');
    if (options?.cause !== undefined) this.cause = options.cause;
  }
}

/** The provider rejected the request. */
export class ProviderRefusal extends ProviderError {
  constructor(
    reason: string,
    readonly httpStatus: number,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}

/**
 * Checks whether an earlier request with the same idempotency key is still in progress. Stripe and PayPal then respond
 * with 409.
 */
export function isInProgress(thrown: unknown): boolean {
  return thrown instanceof ProviderRefusal && thrown.httpStatus === 409;
}

/** Statuses that do not concern the requested object: credentials, rate limits, timeouts. */
const outageStatuses = new Set([401, 403, 408, 429]);

/** Checks whether a repeat of the request would be refused as well. */
export function isFinalRefusal(thrown: unknown): boolean {
  return thrown instanceof ProviderRefusal && !isOutage(thrown) && !isInProgress(thrown);
}

/** Checks whether other requests to the provider would fail as well now. */
export function isOutage(thrown: unknown): boolean {
  if (!(thrown instanceof ProviderError)) return false;
  return !(thrown instanceof ProviderRefusal) || thrown.httpStatus >= 500 || outageStatuses.has(thrown.httpStatus);
}

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
