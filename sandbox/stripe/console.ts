import { parseAmount, parseForce } from '@/sandbox/provider/action-fields';
import type { PaymentSummary, ProviderConsole } from '@/sandbox/provider/console';
import { combineEvents, type Outcome } from '@/sandbox/provider/send-event';
import { stripeAccount } from './account';
import type { StripeGateway } from './gateway';
import { completeLater, decline, expire, expireIfDue, failLater, isUndecided, pay, payLater } from './outcomes';
import type { IntentRecord, SessionRecord } from './records';
import { sumRefunds } from './refunded';
import {
  cancelRefund,
  closeDispute,
  completeRefund,
  failRefund,
  findPaidIntent,
  openDispute,
  refund,
} from './reversals';
import { hostedUrl } from './session-object';

/** Returns Stripe's sessions for the controls and the gateway's pages. */
export function stripeConsole(gateway: StripeGateway): ProviderConsole {
  const on = (run: (session: SessionRecord, fields: unknown) => Outcome) => (id: string, fields: unknown) =>
    run(gateway.session(id), fields);
  const account = stripeAccount(gateway);
  return {
    gateway,
    payments: () => gateway.state.sessions.map((session) => toSummary(gateway, session)),
    payment: (id) => toSummary(gateway, gateway.session(id)),
    actions: {
      pay: on((session, fields) => pay(gateway, session, parseForce(fields))),
      'pay-later': on((session) => payLater(gateway, session)),
      fail: on((session) => (decline(gateway, session) ? combineEvents() : null)),
      'complete-async': on((session) => completeLater(gateway, session)),
      'fail-async': on((session) => failLater(gateway, session)),
      expire: on((session) => expire(gateway, session)),
      refund: on((session, fields) => refund(gateway, session, parseAmount(fields))),
      'refund-complete': on((session) => completeRefund(gateway, session)),
      'refund-fail': on((session) => failRefund(gateway, session)),
      'refund-cancel': on((session) => cancelRefund(gateway, session)),
      dispute: on((session) => openDispute(gateway, session)),
      'dispute-won': on((session) => closeDispute(gateway, session, 'won')),
      'dispute-lost': on((session) => closeDispute(gateway, session, 'lost')),
    },
    account,
    expireDue: () => gateway.state.sessions.map((session) => expireIfDue(gateway, session)).some(Boolean),
    forget() {
      gateway.state.sessions.length = 0;
      gateway.state.intents.length = 0;
      gateway.state.answers.length = 0;
      account.forget();
    },
  };
}

/** Additional fields of Stripe. */
type StripeSummary = PaymentSummary & {
  payment_status: SessionRecord['paymentStatus'];
  client_reference_id: string | null;
  metadata: Record<string, string>;
  payment_intent: string | null;
};

function toSummary(gateway: StripeGateway, session: SessionRecord): StripeSummary {
  const intent = findPaidIntent(gateway, session);
  const undecided = isUndecided(gateway, session);
  return {
    id: session.id,
    provider: 'stripe',
    url: session.status === 'open' ? hostedUrl(session.id, gateway.origin) : null,
    status: session.status,
    state: getState(session, undecided, intent),
    undelivered: gateway.webhookQueue.undelivered('stripe', session.id).length,
    amount_total: session.amountTotal,
    amount_refunded: intent ? sumRefunds(intent) : 0,
    currency: session.currency,
    reference: session.metadata.topup_id ?? session.clientReferenceId,
    customer_email: session.customerEmail,
    created: session.created,
    expires_at: session.expiresAt,
    actions: listActions(session, undecided, intent),
    payment_status: session.paymentStatus,
    client_reference_id: session.clientReferenceId,
    metadata: session.metadata,
    payment_intent: session.intentId,
  };
}

function getState(
  session: SessionRecord,
  undecided: boolean,
  intent: IntentRecord | undefined,
): PaymentSummary['state'] {
  if (intent?.dispute) {
    const { status } = intent.dispute;
    if (status === 'needs_response') return { label: 'Disputed', tone: 'warn' };
    if (status === 'lost') return { label: 'Dispute lost', tone: 'bad' };
  }
  if (intent) return paidState(sumRefunds(intent), session.amountTotal);
  if (session.status === 'open') return { label: 'Open', tone: '' };
  if (session.status === 'expired') return { label: 'Expired', tone: 'bad' };
  return undecided ? { label: 'Undecided', tone: 'warn' } : { label: 'Failed', tone: 'bad' };
}

function paidState(refunded: number, total: number): PaymentSummary['state'] {
  if (refunded === 0) return { label: 'Paid', tone: 'good' };
  return { label: refunded < total ? 'Partly refunded' : 'Refunded', tone: 'warn' };
}

function listActions(
  session: SessionRecord,
  undecided: boolean,
  intent: IntentRecord | undefined,
): PaymentSummary['actions'] {
  if (session.status === 'open') return [{ name: 'expire', label: 'Expire' }];
  if (undecided) {
    return [
      { name: 'complete-async', label: 'Money arrives' },
      { name: 'fail-async', label: 'Money does not arrive' },
    ];
  }
  if (!intent) return [];
  if (intent.dispute?.status === 'needs_response') {
    return [
      { name: 'dispute-won', label: 'Dispute won' },
      { name: 'dispute-lost', label: 'Dispute lost' },
    ];
  }
  if (intent.dispute?.status === 'lost') return [];
  const left = session.amountTotal - sumRefunds(intent);
  return [
    ...(left > 0 ? [{ name: 'refund', label: 'Refund' }] : []),
    ...(left > 0 && !intent.dispute ? [{ name: 'dispute', label: 'Dispute' }] : []),
    ...(intent.refunds.some(({ status }) => status === 'pending')
      ? [{ name: 'refund-complete', label: 'Refund arrives' }]
      : []),
    ...(sumRefunds(intent) > 0 ? [{ name: 'refund-fail', label: 'Refund fails' }] : []),
    ...(sumRefunds(intent) > 0 ? [{ name: 'refund-cancel', label: 'Refund is canceled' }] : []),
  ];
}
