import type Stripe from 'stripe';
import { z } from 'zod';
import { canParseUrl } from '@/sandbox/http/can-parse-url';
import { invalidParam, type StripeError } from './errors';
import { parseForm } from './form';

const minSeconds = 30 * 60;
const maxSeconds = 24 * 60 * 60;
/** Tolerance for the duration of a request: exactly 30 minutes or 24 hours are accepted. */
const slackSeconds = 60;
const minAmount = 50;
const maxAmount = 99_999_999;

/** Form values are strings; only plain digits are an integer. */
const integer = z
  .string()
  .regex(/^-?\d{1,15}$/, 'Must be an integer')
  .transform(Number);
const text = z.string().min(1, 'Must not be empty').max(5_000);
const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
const metadata = z
  .record(
    z.string().max(40, 'A metadata key can have at most 40 characters'),
    z.string().max(500, 'A metadata value can have at most 500 characters'),
  )
  .refine((value) => Object.keys(value).length <= 50, 'There can be at most 50 metadata keys');

const lineItem = z.strictObject({
  quantity: integer.pipe(z.number().min(1).max(999_999)),
  price_data: z.strictObject({
    currency: z
      .string()
      .regex(/^[A-Za-z]{3}$/, 'Not a currency')
      .transform((value) => value.toLowerCase()),
    unit_amount: integer.pipe(
      z
        .number()
        .min(minAmount, `The amount must be at least ${minAmount}`)
        .max(maxAmount, `The amount must be at most ${maxAmount}`),
    ),
    product_data: z.strictObject({ name: text.max(250), description: text.optional() }),
  }),
});

/** The supported parameters of checkout.sessions.create; unknown ones are rejected. */
const schema = z.strictObject({
  mode: z.literal('payment', 'The sandbox supports one-time payments only'),
  ui_mode: z.literal('hosted_page', 'The sandbox supports the hosted page only').optional(),
  line_items: z.array(lineItem).min(1).max(100),
  success_url: text,
  cancel_url: text.optional(),
  client_reference_id: text.max(200).optional(),
  customer_email: z.email('Not an email address').max(800).optional(),
  expires_at: integer.optional(),
  metadata: metadata.optional(),
  payment_intent_data: z
    .strictObject({ metadata: metadata.optional(), description: text.max(1_000).optional() })
    .optional(),
  adaptive_pricing: z.strictObject({ enabled: flag }).optional(),
  submit_type: z.enum(['auto', 'pay']).optional(),
  locale: text.optional(),
});

export type CreateParams = z.infer<typeof schema>;

/**
 * Parses the parameters of a session.
 * @param nowSeconds Unix seconds
 * @throws StripeError 400 in Stripe's shape, with the parameter
 */
export function parseCreateParams(body: string, nowSeconds: number): CreateParams {
  const parsed = schema.safeParse(parseForm(body), { reportInput: true });
  if (!parsed.success) throw toStripeError(parsed.error);
  const params = parsed.data;
  checkUrl('success_url', params.success_url);
  if (params.cancel_url !== undefined) checkUrl('cancel_url', params.cancel_url);
  checkExpiry(params.expires_at, nowSeconds);
  const [first, ...others] = params.line_items.map((item) => item.price_data.currency);
  if (others.some((currency) => currency !== first)) {
    throw invalidParam('All items of a session must be in one currency', 'line_items');
  }
  // Type check: the pinned SDK can send every accepted value.
  return params satisfies Stripe.Checkout.SessionCreateParams;
}

function toStripeError(error: z.ZodError): StripeError {
  const issue = error.issues[0];
  if (!issue) return invalidParam('The parameters are invalid', '');
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    const param = toBracketNotation([...path, issue.keys[0] ?? '']);
    return invalidParam(`The sandbox does not support the parameter ${param}`, param, 'parameter_unknown');
  }
  const param = toBracketNotation(path);
  if (issue.input === undefined) {
    return invalidParam(`The parameter ${param} is required`, param, 'parameter_missing');
  }
  const code = param.endsWith('[unit_amount]') ? amountCode(issue) : undefined;
  return invalidParam(`${param}: ${issue.message}`, param, code);
}

function amountCode(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_small') return 'amount_too_small';
  return issue.code === 'too_big' ? 'amount_too_large' : 'parameter_invalid_integer';
}

/** Formats a path as `line_items[0][quantity]`. */
function toBracketNotation([first = '', ...rest]: readonly string[]): string {
  return first + rest.map((part) => `[${part}]`).join('');
}

function checkUrl(param: string, value: string): void {
  if (!canParseUrl(value) || !/^https?:$/.test(new URL(value).protocol)) {
    throw invalidParam(`${param}: Not an absolute http or https URL`, param, 'url_invalid');
  }
}

function checkExpiry(expiresAt: number | undefined, nowSeconds: number): void {
  if (expiresAt === undefined) return;
  const seconds = expiresAt - nowSeconds;
  if (seconds < minSeconds - slackSeconds || seconds > maxSeconds + slackSeconds) {
    throw invalidParam('expires_at must be between 30 minutes and 24 hours from now', 'expires_at');
  }
}
