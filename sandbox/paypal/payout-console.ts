import type { Action, PaymentSummary } from '@/sandbox/provider/console';
import type { PayPalGateway } from './gateway';
import { canFollow, denyBatch, movePayout } from './payouts';
import type { PayoutBatchRecord, PayoutItemRecord, PayoutStatus } from './records';

/** The controls of a payout, by the state that each moves it to. */
const controls: readonly [name: string, status: PayoutStatus, label: string][] = [
  ['payout-succeed', 'SUCCESS', 'Pay'],
  ['payout-fail', 'FAILED', 'Fail'],
  ['payout-unclaimed', 'UNCLAIMED', 'Not claimed'],
  ['payout-hold', 'ONHOLD', 'Hold'],
  ['payout-block', 'BLOCKED', 'Block'],
  ['payout-return', 'RETURNED', 'Return'],
  ['payout-refund', 'REFUNDED', 'Refunded by the seller'],
  ['payout-reverse', 'REVERSED', 'Reverse'],
];

/** Returns the actions on a payout; `payout-deny` denies its whole batch. */
export function payoutActions(gateway: PayPalGateway): Readonly<Record<string, Action>> {
  const moves = controls.map(([name, status]): [string, Action] => [
    name,
    (id) => {
      const { batch, item } = gateway.findPayout(id);
      return movePayout(gateway, batch, item, status);
    },
  ]);
  return { ...Object.fromEntries(moves), 'payout-deny': (id) => denyBatch(gateway, gateway.findPayout(id).batch) };
}

const tones: Readonly<Record<PayoutStatus, PaymentSummary['state']['tone']>> = {
  PENDING: 'warn',
  SUCCESS: 'good',
  FAILED: 'bad',
  UNCLAIMED: 'warn',
  ONHOLD: 'warn',
  BLOCKED: 'bad',
  RETURNED: 'bad',
  REFUNDED: 'bad',
  REVERSED: 'bad',
};

/** Returns a payout for the controls and the gateway's pages. */
export function toPayoutSummary(
  gateway: PayPalGateway,
  batch: PayoutBatchRecord,
  item: PayoutItemRecord,
): PaymentSummary {
  const isDenied = batch.status === 'DENIED';
  return {
    id: item.id,
    provider: 'paypal',
    isPayout: true,
    url: null,
    status: isDenied ? 'DENIED' : item.status,
    state: isDenied
      ? { label: 'Denied', tone: 'bad' }
      : { label: `Payout ${item.status.toLowerCase()}`, tone: tones[item.status] },
    undelivered: gateway.webhookQueue.undelivered('paypal', item.id).length,
    amount_total: item.amount,
    amount_refunded: item.returnId === null ? 0 : item.amount,
    currency: item.currency.toLowerCase(),
    reference: item.senderItemId,
    customer_email: item.receiver,
    created: batch.created,
    expires_at: null,
    actions: isDenied
      ? []
      : [
          ...controls.filter(([, status]) => canFollow(item, status)).map(([name, , label]) => ({ name, label })),
          ...(batch.status === 'PENDING' ? [{ name: 'payout-deny', label: 'Deny the batch' }] : []),
        ],
  };
}
