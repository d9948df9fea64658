import type { PaymentProviderName, ProviderMode } from '../../db/schema/topups';
import { AppError } from '../errors';

/** What the provider is asked to charge. */
export type CheckoutRequest = {
  topupId: string;
  /** Integer minor units of `currency`. */
  amountMinor: number;
  currency: string;
  /** What the buyer reads on the provider's page. */
  description: string;
  customerEmail: string;
  /** Our address for the buyer who paid, absolute; a provider may add its own reference to it. */
  successUrl: string;
  /** Our address for the buyer who gave up, absolute. */
  cancelUrl: string;
  expiresAt: Date;
};

/** The provider's answer: its reference, and where the buyer pays. */
export type Checkout = { reference: string; url: string };

type EvidenceBase = {
  /** The provider's checkout, e.g. a Stripe session id. */
  providerReference: string;
  /** The intent it names as its cause; null when it names none. */
  topupId: string | null;
  mode: ProviderMode;
  /** What the buyer was charged, or is to be: integer minor units of `currency` (upper case). */
  amountMinor: number;
  currency: string;
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
  | (EvidenceBase & { outcome: 'pending' | 'failed' | 'expired' | 'cancelled' });

/** A notification whose signature was checked. */
export type ProviderEvent = {
  eventId: string;
  type: string;
  mode: ProviderMode;
  payload: unknown;
  /**
   * Null for a type that says nothing about a top-up's money.
   * @throws ProviderError when the event lacks what its type promises; it is stored by then
   */
  readEvidence(): PaymentEvidence | null;
};

/**
 * One provider in one mode: what the rest of the application knows of Stripe, PayPal or WeChat. Calls throw
 * ProviderError when the provider does not answer, refuses, or answers what cannot be understood.
 */
export type PaymentProvider = {
  readonly name: PaymentProviderName;
  readonly mode: ProviderMode;
  /** Safe to repeat with the same request: the provider makes one checkout a top-up. */
  createCheckout(request: CheckoutRequest): Promise<Checkout>;
  /** How a checkout stands. */
  retrieveCheckout(reference: string): Promise<PaymentEvidence>;
  /** Closes a checkout that nobody paid; says how it stands afterwards, which may be "paid". */
  cancelCheckout(reference: string): Promise<PaymentEvidence>;
  /**
   * Checks and reads a notification.
   * @returns null when it is not signed with this mode's secret, or signed too long ago
   */
  parseWebhook(raw: Buffer, headers: Pick<Headers, 'get'>): ProviderEvent | null;
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
