import type { Route } from '../http/router';
import type { ProviderAccount } from './account';
import type { Outcome } from './announce';
import type { ProviderGateway } from './gateway';

/** A payment in `GET /sessions` and on the gateway's pages: an entry for Stripe's session, PayPal's order, WeChat's trade. */
export type PaymentSummary = {
  id: string;
  provider: ProviderGateway['name'];
  /** The hosted page; null when nobody can open it any more. */
  url: string | null;
  /** In the provider's own words. */
  status: string;
  /** The same for a person. */
  state: { label: string; tone: 'good' | 'bad' | 'warn' | '' };
  /** Webhooks that have not reached the app: held, waiting for a retry, lost or given up. */
  undelivered: number;
  /** Integer minor units. */
  amount_total: number;
  /** Of that, given back so far. */
  amount_refunded: number;
  /** ISO 4217 in lower case. */
  currency: string;
  /** How many calls to collect it were refused. */
  refused_captures?: number;
  /** The shop's own number of it: the top-up. */
  reference: string | null;
  customer_email: string | null;
  /** Unix seconds. */
  created: number;
  expires_at: number | null;
  /** What can happen to it now, with the words of its button. */
  actions: { name: string; label: string }[];
};

/**
 * Something that happens to a payment from outside: an action's name, and what it does.
 * @returns null when it cannot happen to this payment any more
 * @throws ApiError for a payment that does not exist, ZodError for wrong fields
 */
export type Action = (id: string, fields: unknown) => Outcome;

/** A provider as its controls and the gateway's pages see it. */
export type ProviderDesk = {
  gateway: ProviderGateway;
  /** All payments, oldest first. */
  payments(): PaymentSummary[];
  /** @throws ApiError when there is none */
  payment(id: string): PaymentSummary;
  actions: Readonly<Record<string, Action>>;
  /** The shop's account: its balance and payouts. */
  account: ProviderAccount;
  /** Further addresses of its own beside the controls. */
  routes?: readonly Route[];
  /** Closes what is over; says whether it closed any. */
  expireDue(): boolean;
  /** Forgets all payments. */
  forget(): void;
};
