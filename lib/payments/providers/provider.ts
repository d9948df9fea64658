import type { PaymentProviderName, ProviderMode } from '@/db/schema/topups';
import { AppError } from '../../errors';
import type { RateCurrency } from '../../money';
import type { SettlementReader } from './settlement-reader';

/** What the provider is asked to charge. */
export type CheckoutRequest = {
  topupId: string;
  /** Integer minor units of `currency`. */
  amountMinor: number;
  currency: string;
  /** What the buyer reads on the provider's page. */
  description: string;
  customerEmail: string;
  /** Where the buyer sits: WeChat wants the address, and pays another way on a phone. */
  buyer: { ip: string; isMobile: boolean };
  /** Our address for the buyer who paid, absolute; a provider may add its own reference to it. */
  successUrl: string;
  /** Our address for the buyer who gave up, absolute. */
  cancelUrl: string;
  expiresAt: Date;
};

/** The provider's answer: its reference, and where the buyer pays. */
export type Checkout = {
  reference: string;
  url: string;
  /** What the provider's app scans from our page at `url`, where the buyer pays with a phone beside the screen. */
  payCode?: string;
};

type EvidenceBase = {
  about: 'payment';
  /** The provider's checkout, e.g. a Stripe session id; null where the answer about a payment names none. */
  providerReference: string | null;
  /** The intent it names as its cause; null when it names none. */
  topupId: string | null;
  mode: ProviderMode;
  /** What the buyer was charged, or is to be: integer minor units of `currency` (upper case). */
  amountMinor: number;
  currency: string;
};

/** Why a provider refuses to collect money that the buyer agreed to pay. */
export type CollectionRefusal = {
  /**
   * payer_action: the buyer chooses another way to pay or confirms, in the same checkout; merchant_action: our account
   * at the provider has to be changed; final: this checkout is never paid; temporary: the same request may succeed later.
   */
  kind: 'payer_action' | 'merchant_action' | 'final' | 'temporary';
  /** The provider's name for the reason, e.g. INSTRUMENT_DECLINED. */
  code: string;
  /** Under which the provider's support finds the answer. */
  debugId?: string;
};

/**
 * What a provider says about a payment, in a signed notification or an answer to our question. `pending`: nothing is
 * decided. `cancelled`: closed at the buyer's wish, with nothing charged.
 */
export type PaymentEvidence =
  | (EvidenceBase & {
      outcome: 'paid';
      /** The payment object that brought the money: its name is the ledger's key. */
      paymentReference: string;
    })
  | (EvidenceBase & {
      outcome: 'pending' | 'failed' | 'expired' | 'cancelled';
      /** The buyer agreed: `retrieveCheckout` would collect the money. */
      isCollectable?: boolean;
      /** Why the provider did not collect what the buyer agreed to pay. */
      refusal?: CollectionRefusal;
      /** The provider's page on which the buyer goes on with the same checkout. */
      payerActionUrl?: string;
    });

/**
 * What a provider says about a refund or a dispute of a payment. Each is an object of the provider's with a name of its
 * own, and is told about several times, in any order.
 */
export type ReversalEvidence = {
  about: 'reversal';
  kind: 'refund' | 'dispute';
  /** The refund or dispute at the provider. */
  reference: string;
  /** The payment it is about; see `paid` above. */
  paymentReference: string;
  /** The intent it names, or null. */
  topupId: string | null;
  mode: ProviderMode;
  /** Integer minor units of `currency` (upper case). */
  amountMinor: number;
  currency: string;
  /** kept: nothing moved; taken: it left our account; returned: it came back, or a refund failed. */
  money: 'kept' | 'taken' | 'returned';
  /** How a dispute ended; null while it is open, and for refunds. */
  outcome: 'won' | 'lost' | null;
  /** Of the provider's dispute object: its word for why, and until when it takes evidence. */
  dispute?: { reason: string | null; evidenceDueBy: Date | null };
  /**
   * Of a won dispute, where the provider tells what it took for it under other names: how much of that it gave back, in
   * minor units. Null: the notification does not say.
   */
  givenBack?: number | null;
  /** When it came to this, by the provider's clock, where it says so. */
  happenedAt?: Date;
};

export type Evidence = PaymentEvidence | ReversalEvidence;

/**
 * An object at the provider that an event is about, by its id alone. A signature proves only that the sender knows a
 * secret, so an event carries no amount and no state: both come from `PaymentProvider.retrieveEvidence`.
 *
 * - `checkout`: what `createCheckout` returned
 * - `payment`: one payment
 * - `refunds`: every refund of the payment with this id
 * - `refund`, `dispute`: one of them
 * - `reversal`: money that the provider took back by itself and lists among the refunds
 */
export type EventSubject = {
  object: 'checkout' | 'payment' | 'refunds' | 'refund' | 'reversal' | 'dispute';
  id: string;
};

/** A webhook event whose signature was verified. */
export type ProviderEvent = {
  eventId: string;
  type: string;
  /** The mode whose secret verified it, not the mode it states. */
  mode: ProviderMode;
  payload: unknown;
  /**
   * What to ask the provider about; empty for types that say nothing about money.
   * @throws ProviderError when the event lacks what its type promises; it is stored by then
   */
  subjects(): EventSubject[];
};

/** An event from a provider's list, with the top-up that it names; null where only the provider can tell. */
export type ListedEvent = ProviderEvent & { topupId: string | null };

/**
 * What a provider lists of its past events, for those whose webhook never arrived. The list comes from the provider's
 * API, so that its entries need no signature.
 */
export type EventLog = {
  /** For how many days the provider lists events. */
  keptDays: number;
  /** For how long an event may be added, or change, after the moment it is listed under. */
  overlapMs: number;
  /** The moment before which the list is complete. */
  completeUntil(now: Date): Date;
  /**
   * Pages of the events from `from` up to, but not including, `until`, in any order. Events a little outside of that
   * may be among them.
   * @throws ProviderError when the provider does not answer, or has not written its list yet
   */
  list(from: Date, until: Date): AsyncIterable<ListedEvent[]>;
};

/**
 * One provider in one mode: what the rest of the application knows of Stripe, PayPal or WeChat. Calls throw
 * ProviderError when the provider does not answer, refuses, or answers what cannot be understood.
 */
export type PaymentProvider = {
  readonly name: PaymentProviderName;
  readonly mode: ProviderMode;
  /** What buyers are charged in. */
  readonly currency: RateCurrency;
  /** Where we name the checkout ourselves: its reference, known before the provider is asked. */
  referenceOf?(topupId: string): string;
  /** Safe to repeat with the same request: the provider makes one checkout a top-up. */
  createCheckout(request: CheckoutRequest): Promise<Checkout>;
  /** How a checkout stands, and whose it is; moves nothing. */
  findCheckout(reference: string): Promise<PaymentEvidence>;
  /** How a checkout stands. Money that the buyer approved and that waits to be collected is collected. */
  retrieveCheckout(reference: string): Promise<PaymentEvidence>;
  /** Closes a checkout that nobody paid; says how it stands afterwards, which may be "paid". */
  cancelCheckout(reference: string): Promise<PaymentEvidence>;
  /**
   * What was given back of what a won dispute took, in minor units; `all` where nothing of the payment is missing, null
   * where it is not said. For providers that tell of the money they take for a dispute under another name.
   */
  findGivenBack?(dispute: { reference: string; paymentReference: string }): Promise<number | 'all' | null>;
  /**
   * Checks and reads a notification.
   * @returns null when it is not signed with this mode's secret, or signed too long ago
   */
  parseWebhook(raw: Buffer, headers: Pick<Headers, 'get'>): Promise<ProviderEvent | null>;
  /**
   * What the provider's API says about the object of an event: the only evidence that an event leads to.
   * @throws ProviderError when the provider does not answer, or does not know the object
   */
  retrieveEvidence(subject: EventSubject): Promise<Evidence[]>;
  /** The same notification from the payload that was kept of it, when its signature was checked long ago. */
  readStored(payload: unknown): ProviderEvent;
  readonly eventLog: EventLog;
  /** The provider's statement of the account: payments, fees and payouts. */
  readonly settlement: SettlementReader;
};

/** A provider failed us. The person reads `message`; `reason` is for whoever looks into it and holds no secret. */
export class ProviderError extends AppError {
  constructor(
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super('provider_failed', 'The payment provider could not be reached. Please try again.');
    if (options?.cause !== undefined) this.cause = options.cause;
  }
}

/** The provider understood the call and refused it. */
export class ProviderRefusal extends ProviderError {
  constructor(
    reason: string,
    readonly httpStatus: number,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}

/** Does an earlier call for the same thing still wait over there? Stripe and PayPal then answer 409. */
export function isInProgress(thrown: unknown): boolean {
  return thrown instanceof ProviderRefusal && thrown.httpStatus === 409;
}

/** Statuses that say nothing about the one thing that was asked for: our keys, too many calls, a fault over there. */
const general = new Set([401, 403, 408, 429]);

/** Would the provider answer any other question just as badly now? */
export function isOutage(thrown: unknown): boolean {
  if (!(thrown instanceof ProviderError)) return false;
  return !(thrown instanceof ProviderRefusal) || thrown.httpStatus >= 500 || general.has(thrown.httpStatus);
}
