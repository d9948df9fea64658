import type { Route } from '@/sandbox/http/router';
import type { ProviderAccount } from './account';
import type { ProviderGateway } from './gateway';
import type { Outcome } from './send-event';

/** A payment in `GET /sessions` and on the gateway's pages: a Stripe session, PayPal order or WeChat trade. */
export type PaymentSummary = {
  id: string;
  provider: ProviderGateway['name'];
  /** A payout to a seller instead of a payment of a buyer. */
  isPayout?: true;
  /** URL of the hosted page; null when it is closed. */
  url: string | null;
  /** The provider's status. */
  status: string;
  /** The status for display. */
  state: { label: string; tone: 'good' | 'bad' | 'warn' | '' };
  /** Number of undelivered webhooks: held, waiting for a retry, lost or given up. */
  undelivered: number;
  /** Integer minor units. */
  amount_total: number;
  /** The refunded part. */
  amount_refunded: number;
  /** ISO 4217 in lower case. */
  currency: string;
  /** Number of refused captures. */
  refused_captures?: number;
  /** The shop's reference: the top-up or payout. */
  reference: string | null;
  customer_email: string | null;
  /** Unix seconds. */
  created: number;
  expires_at: number | null;
  /** The available actions, with their button labels. */
  actions: { name: string; label: string }[];
};

/**
 * An action on a payment.
 * @returns null when it is not possible in the payment's state
 * @throws ApiError for an unknown payment, ZodError for invalid fields
 */
export type Action = (id: string, fields: unknown) => Outcome;

/** A provider for its controls and the gateway's pages. */
export type ProviderConsole = {
  gateway: ProviderGateway;
  /** All payments, oldest first. */
  payments(): PaymentSummary[];
  /** @throws ApiError for an unknown payment */
  payment(id: string): PaymentSummary;
  actions: Readonly<Record<string, Action>>;
  /** The shop's account: its balance and payouts. */
  account: ProviderAccount;
  /** Additional routes of the provider. */
  routes?: readonly Route[];
  /** Expires overdue payments; returns whether there were any. */
  expireDue(): boolean;
  /** Deletes all payments. */
  forget(): void;
};
