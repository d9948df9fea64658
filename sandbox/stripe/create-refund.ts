import type Stripe from 'stripe';
import { z } from 'zod';
import { invalidParam, StripeError } from './errors';
import { parseForm } from './form';
import type { StripeGateway } from './gateway';
import { newStripeId } from './ids';
import { notifyRefund, notifyRefunded } from './notify';
import type { IntentRecord, RefundRecord } from './records';
import { sumRefunds } from './refunded';

const amount = z
  .string()
  .regex(/^\d{1,15}$/, 'Must be an integer')
  .transform(Number)
  .pipe(z.number().min(1, 'Must be greater than 0'));

/** The supported parameters of refunds.create; unknown ones are rejected. */
const schema = z.strictObject({
  payment_intent: z.string().min(1).optional(),
  charge: z.string().min(1).optional(),
  amount: amount.optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata: z.record(z.string().max(40), z.string().max(500)).optional(),
});

/** Creates a refund from the form of refunds.create, with the fate of the controls. @throws StripeError 400 or 404 */
export function createRefund(gateway: StripeGateway, body: string): { refund: RefundRecord; intent: IntentRecord } {
  const parsed = schema.safeParse(parseForm(body));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw invalidParam(issue?.message ?? 'The parameters are invalid', issue?.path.map(String).join('.') ?? '');
  }
  // Type check: the pinned SDK can send every accepted value.
  const params = parsed.data satisfies Stripe.RefundCreateParams;
  const { payment_intent: intentId, charge, reason = null, metadata = {} } = params;
  if ((intentId === undefined) === (charge === undefined)) {
    throw invalidParam('One of payment_intent and charge is required', 'payment_intent', 'parameter_missing');
  }
  const intent = intentId === undefined ? gateway.charged(charge ?? '') : gateway.intent(intentId);
  if (intent.status !== 'succeeded')
    throw refusal('This payment has no successful charge to refund', 'charge_not_found');
  if (intent.dispute !== null && intent.dispute.status !== 'won') {
    throw refusal('The charge is disputed and cannot be refunded', 'charge_disputed');
  }
  const before = sumRefunds(intent);
  const rest = gateway.session(intent.sessionId).amountTotal - before;
  if (rest <= 0) throw refusal('The charge was already refunded', 'charge_already_refunded');
  const input = params.amount ?? rest;
  if (input > rest) throw invalidParam('The amount is greater than the unrefunded amount of the charge', 'amount');
  if (gateway.controls.refundFate === 'refused') {
    throw refusal('The available balance is too low for this refund', 'balance_insufficient');
  }
  const refund: RefundRecord = {
    id: newStripeId.refund(),
    created: Math.floor(Date.now() / 1_000),
    amount: input,
    status: fates[gateway.controls.refundFate],
    reason,
    metadata,
  };
  intent.refunds.push(refund);
  notifyRefund(gateway, intent, refund, 'refund.created');
  if (refund.status === 'failed') notifyRefund(gateway, intent, refund, 'refund.failed');
  else notifyRefunded(gateway, intent, before);
  return { refund, intent };
}

const fates = { succeeded: 'succeeded', pending: 'pending', failed: 'failed', abnormal: 'failed' } as const;

const refusal = (message: string, code: string) =>
  new StripeError(400, { type: 'invalid_request_error', message, code });
