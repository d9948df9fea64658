import { z } from 'zod';
import { invalidRequest, PayPalError, unprocessable } from './errors';
import type { PayPalGateway } from './gateway';
import { newPayPalId } from './ids';
import { currencies, toMinor } from './money';
import type { OrderRecord } from './records';

const maxOrders = 500;

const text = (longest: number) => z.string().min(1).max(longest);
const money = z.strictObject({ currency_code: z.string(), value: z.string().max(32) });
const experience = z.strictObject({
  return_url: z.url({ protocol: /^https?$/ }).optional(),
  cancel_url: z.url({ protocol: /^https?$/ }).optional(),
  brand_name: text(127).optional(),
  locale: text(10).optional(),
  landing_page: z.enum(['LOGIN', 'GUEST_CHECKOUT', 'NO_PREFERENCE', 'BILLING']).optional(),
  shipping_preference: z.enum(['GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS']).optional(),
  user_action: z.enum(['CONTINUE', 'PAY_NOW']).optional(),
  payment_method_preference: z.enum(['UNRESTRICTED', 'IMMEDIATE_PAYMENT_REQUIRED']).optional(),
});

/** The supported parameters of an order; unknown ones are rejected. */
const schema = z.strictObject({
  intent: z.literal('CAPTURE'),
  purchase_units: z
    .array(
      z.strictObject({
        reference_id: text(256).optional(),
        custom_id: text(255).optional(),
        invoice_id: text(127).optional(),
        description: text(127).optional(),
        soft_descriptor: text(22).optional(),
        amount: money.extend({ breakdown: z.strictObject({ item_total: money }).optional() }),
        items: z
          .array(
            z.strictObject({
              name: text(127),
              quantity: z.string(),
              unit_amount: money,
              category: z.string().optional(),
            }),
          )
          .optional(),
      }),
    )
    .length(1),
  payment_source: z
    .strictObject({
      paypal: z.strictObject({ experience_context: experience.optional(), email_address: z.email().optional() }),
    })
    .optional(),
  application_context: experience.optional(),
});

/** Creates an order. @throws PayPalError 400 or 422 */
export function createOrder(gateway: PayPalGateway, body: string): OrderRecord {
  const params = parse(body);
  const [unit] = params.purchase_units;
  const { paypal: source } = params.payment_source ?? {};
  const context = source?.experience_context ?? params.application_context;
  if (!unit) throw invalidRequest('/purchase_units', 'MISSING_REQUIRED_PARAMETER', 'A required field is missing.');
  if (!context?.return_url || !context.cancel_url) {
    throw unprocessable('MISSING_RETURN_URL', 'The sandbox requires return_url and cancel_url to return the payer.');
  }
  const created = Math.floor(Date.now() / 1_000);
  const order: OrderRecord = {
    id: newPayPalId.transaction(),
    created,
    updated: created,
    status: source ? 'PAYER_ACTION_REQUIRED' : 'CREATED',
    amount: parseAmount(unit.amount),
    currency: unit.amount.currency_code,
    referenceId: unit.reference_id ?? 'default',
    customId: unit.custom_id ?? null,
    invoiceId: unit.invoice_id ?? null,
    description: unit.description ?? null,
    returnUrl: context.return_url,
    cancelUrl: context.cancel_url,
    payerId: newPayPalId.payer(),
    payerEmail: source?.email_address ?? 'buyer@sandbox.example.com',
    hasPaymentSource: source !== undefined,
    fate: 'completed',
    refusal: null,
    declined: false,
    attempts: 0,
    capture: null,
    dispute: null,
  };
  const { orders } = gateway.state;
  orders.push(order);
  if (orders.length > maxOrders) orders.splice(0, orders.length - maxOrders);
  return order;
}

function parse(body: string): z.infer<typeof schema> {
  const parsed = schema.safeParse(parseJson(body), { reportInput: true });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = `/${(issue?.path ?? []).map(String).join('/')}`;
  if (issue?.code === 'unrecognized_keys') {
    throw invalidRequest(`${field}/${issue.keys[0]}`, 'UNKNOWN_PARAMETER', 'The sandbox does not support this field.');
  }
  if (issue?.input === undefined) {
    throw invalidRequest(field, 'MISSING_REQUIRED_PARAMETER', 'A required field is missing.');
  }
  throw invalidRequest(field, 'INVALID_PARAMETER_SYNTAX', issue.message);
}

/** @throws PayPalError 400 for invalid JSON */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new PayPalError(
      400,
      'INVALID_REQUEST',
      'Request is not well-formed, syntactically incorrect, or violates schema.',
      [{ issue: 'MALFORMED_REQUEST_JSON', description: 'The request JSON is not well formed.' }],
    );
  }
}

/** Parses a positive amount into minor units. @throws PayPalError 422 */
export function parseAmount(amount: { currency_code: string; value: string }): number {
  if (!currencies.some((currency) => currency === amount.currency_code)) {
    throw unprocessable('INVALID_CURRENCY_CODE', 'PayPal does not support this currency.');
  }
  const minor = toMinor(amount);
  if (minor === null) throw unprocessable('DECIMAL_PRECISION', 'The amount is not valid in its currency.');
  if (minor <= 0) throw unprocessable('CANNOT_BE_ZERO_OR_NEGATIVE', 'The amount must be greater than zero.');
  return minor;
}
