import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { payPalEventObjects, payPalEventTypes } from '@/lib/payments/providers/event-types';
import type { Rules } from './provider-rules';

/**
 * PayPal's REST API, as far as this application uses it: closed schemas from PayPal's published OpenAPI documents
 * (`paypal-schemas.json`, written by `npm run paypal:schemas`), and below the parts that those documents do not
 * describe.
 */

type Api =
  | 'checkout_orders_v2'
  | 'payments_payment_v2'
  | 'customer_disputes_v1'
  | 'notifications_webhooks_v1'
  | 'payments_payouts_batch_v1'
  | 'reporting_transactions_v1';
type JsonSchema = Extract<Parameters<typeof z.fromJSONSchema>[0], object>;

const jsonSchema = z.custom<JsonSchema>((value) => typeof value === 'object' && value !== null);
const operationSchema = z.object({
  path: jsonSchema,
  query: jsonSchema,
  header: jsonSchema,
  body: jsonSchema.optional(),
  isBodyRequired: z.boolean().default(false),
  answers: z.record(z.string(), jsonSchema),
});
type Operation = z.output<typeof operationSchema>;
const published = z
  .object({
    apis: z.record(
      z.string(),
      z.object({
        operations: z.record(z.string(), operationSchema),
        $defs: z.record(z.string(), jsonSchema),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'paypal-schemas.json'), 'utf8')));

/** An issue that PayPal does not have. The sandbox returns it in tests of the handling of unknown issues. */
export const inventedIssue = 'AN_ISSUE_OF_TOMORROW';

function definition(api: Api, name: string): JsonSchema {
  const found = published.apis[api]?.$defs[name];
  if (!found) throw new Error(`PayPal's document ${api} has no schema ${name}.`);
  return found;
}

const properties = z.looseObject({ properties: z.record(z.string(), jsonSchema) });
function withProperties(schema: JsonSchema, more: Record<string, JsonSchema>): JsonSchema {
  const known = properties.parse(schema);
  return { ...known, properties: { ...known.properties, ...more } };
}

const movement = properties.parse(definition('customer_disputes_v1', 'money_movement'));
const { affected_party: party, ...moved } = movement.properties;
if (!party) throw new Error('A movement of money for a dispute names no party.');

/**
 * Additions to the documents. Disputes 1.11 lists the movements of a dispute as `fund_movements`, which is
 * `money_movements` (deprecated) with `party`; the published file is of 1.10:
 * https://developer.paypal.com/api/customer-disputes/v1/definitions/fund_movement_list
 */
const additions: Readonly<Record<string, Record<string, JsonSchema>>> = {
  customer_disputes_v1: {
    fund_movement: { ...movement, properties: { ...moved, party } },
    dispute: withProperties(definition('customer_disputes_v1', 'dispute'), {
      fund_movements: { type: 'array', items: { $ref: '#/$defs/fund_movement' } },
    }),
  },
};

const made = new Map<JsonSchema, z.ZodType>();

/** @param part a schema of the API's document */
function zodOf(api: string, part: JsonSchema): z.ZodType {
  const known = made.get(part);
  if (known) return known;
  const schema = z.fromJSONSchema({ ...part, $defs: { ...published.apis[api]?.$defs, ...additions[api] } });
  made.set(part, schema);
  return schema;
}

function named(api: Api, name: string): z.ZodType {
  return zodOf(api, additions[api]?.[name] ?? definition(api, name));
}

const text = z.string().min(1);
/** https://developer.paypal.com/api/rest/authentication/ */
const tokenAnswer = z.strictObject({
  scope: text,
  access_token: text,
  token_type: z.literal('Bearer'),
  app_id: z.string().regex(/^APP-[A-Z0-9]+$/),
  expires_in: z.int().positive(),
  nonce: text,
});
/** The OAuth 2.0 error response, RFC 6749 section 5.2 and RFC 6750 section 3.1. */
const oauthError = z.strictObject({
  error: z.enum(['invalid_client', 'invalid_token', 'unsupported_grant_type']),
  error_description: text,
});
/** The response of an endpoint that the documents do not have, or of any failed call. */
const anyError = named('notifications_webhooks_v1', 'error');

/**
 * `PAYMENT-APPROVAL.REVERSED` names its order in `order_id`:
 * https://developer.paypal.com/docs/checkout/apm/reference/subscribe-to-webhooks/
 */
const reversedApproval = z.strictObject({
  order_id: text,
  purchase_units: z.array(named('checkout_orders_v2', 'purchase_unit')).min(1),
  payment_source: named('checkout_orders_v2', 'payment_source_response').optional(),
});

const resources = {
  checkout: named('checkout_orders_v2', 'order'),
  payment: named('payments_payment_v2', 'capture-2'),
  refund: named('payments_payment_v2', 'refund'),
  reversal: named('payments_payment_v2', 'refund'),
  dispute: named('customer_disputes_v1', 'dispute'),
  payout: named('payments_payouts_batch_v1', 'payout_item-2'),
  // An event about a batch has no items: https://developer.paypal.com/docs/payouts/standard/reference/webhooks/
  payout_batch: z.strictObject({
    batch_header: named('payments_payouts_batch_v1', 'payout_batch_header'),
    links: z.array(named('payments_payouts_batch_v1', 'link_description')),
  }),
};
const objectOf = new Map<string, keyof typeof resources>(Object.entries(payPalEventObjects));

/**
 * Query parameters of the links to other pages of events, as in the responses that PayPal publishes with its SDKs
 * (github.com/paypal/PayPal-NET-SDK, Source/SDK.Tests, WebhookEventListTest).
 */
const pageParameters = {
  move_to: { type: 'string' },
  index_time: { type: 'string' },
  index_id: { type: 'string' },
} as const;

type Found = { api: string; operation: Operation; template: string; path: Record<string, string> };

const operations = Object.entries(published.apis).flatMap(([api, { operations: all }]) =>
  Object.entries(all).map(([place, operation]) => {
    const [method, template = ''] = place.split(' ');
    const isPaged = template.endsWith('/webhooks-events');
    const header = lowerCase(operation.header);
    const query = isPaged ? withProperties(operation.query, pageParameters) : operation.query;
    const pattern = new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`);
    return { api, operation: { ...operation, query, header }, method, template, pattern };
  }),
);

function operationAt(method: string, pathname: string): Found | undefined {
  for (const one of operations) {
    const match = one.method === method ? one.pattern.exec(pathname) : null;
    if (match) return { ...one, path: { ...match.groups } };
  }
  return undefined;
}

const issueList = z.object({
  properties: z.object({
    details: z.object({
      items: z.object({ properties: z.object({ issue: z.object({ enum: z.array(z.string()) }) }) }),
    }),
  }),
});

function issuesOf(place: string, status: number): string[] {
  const answer = published.apis.checkout_orders_v2?.operations[place]?.answers[status];
  return issueList.parse(answer).properties.details.items.properties.issue.enum;
}

/** The issues with which PayPal refuses to capture an order. @param status the status of the response */
export const captureIssues = (status: 403 | 422): string[] => issuesOf('POST /v2/checkout/orders/{id}/capture', status);

/** The issues of the payee's account, which PayPal lists only with the creation of an order. */
const commonIssues = (): ReadonlySet<unknown> => new Set(issuesOf('POST /v2/checkout/orders', 422));

export const payPalRules: Rules = {
  call({ request, response }) {
    const { method, url, headers, body } = request;
    const answered = parsed(response.body.toString());
    if (response.status === 401) return at(`${method} ${url.pathname} answer 401`, findingsOf(oauthError, answered));
    if (url.pathname === '/v1/oauth2/token') {
      const form = Object.fromEntries(new URLSearchParams(body));
      return [
        ...at('token request', findingsOf(z.strictObject({ grant_type: z.literal('client_credentials') }), form)),
        ...at('token answer', findingsOf(response.status === 200 ? tokenAnswer : oauthError, answered)),
      ];
    }
    const found = operationAt(method, url.pathname);
    if (!found) return [`${method} ${url.pathname}: an address that is not published`];
    const { api, operation, template, path } = found;
    const place = `${method} ${template}`;
    const schemaOf = (part: JsonSchema) => zodOf(api, part);
    const said = operation.answers[String(response.status)] ?? operation.answers.default;
    const given = Object.entries(headers).filter(([name]) => /^(paypal-|prefer$)/.test(name));
    return [
      ...at(`${place} path`, findingsOf(schemaOf(operation.path), path)),
      ...at(`${place} query`, findingsOf(schemaOf(operation.query), typedQuery(operation.query, url.searchParams))),
      ...at(`${place} header`, findingsOf(schemaOf(operation.header), Object.fromEntries(given))),
      ...at(`${place} body`, bodyFindings(body, operation, schemaOf)),
      ...at(
        `${place} answer ${response.status}`,
        said ? findingsOf(schemaOf(said), answered) : ['it is not published'],
      ),
      ...(response.status >= 400 ? at(`${place} answer ${response.status}`, findingsOf(anyError, answered)) : []),
    ];
  },
  event({ event }) {
    const body = parsed(event.body);
    const outer = findingsOf(named('notifications_webhooks_v1', 'event'), body);
    const whole = z.object({ event_type: z.string(), resource: z.unknown() }).safeParse(body);
    if (!whole.success) return [`${event.type}: is no event`];
    const { event_type: type, resource } = whole.data;
    if (!payPalEventTypes.includes(type)) return [`${type}: an event that is not published`];
    const schema =
      type === 'CHECKOUT.PAYMENT-APPROVAL.REVERSED' ? reversedApproval : resources[objectOf.get(type) ?? 'checkout'];
    return [...at(type, outer), ...at(`${type} resource`, findingsOf(schema, resource))];
  },
};

function bodyFindings(body: string, operation: Operation, schemaOf: (part: JsonSchema) => z.ZodType): string[] {
  if (body === '') return operation.isBodyRequired ? ['is missing'] : [];
  return operation.body ? findingsOf(schemaOf(operation.body), parsed(body)) : ['none is published'];
}

const at = (place: string, findings: readonly string[]) => findings.map((one) => `${place}: ${one}`);

function findingsOf(schema: z.ZodType, value: unknown): string[] {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return [];
  return result.error.issues.flatMap((issue) => {
    const place = issue.path.join('.') || '(whole)';
    if (issue.code !== 'invalid_value') return [`${place}: ${issue.message}`];
    const isKnown = place.endsWith('.issue') && (issue.input === inventedIssue || commonIssues().has(issue.input));
    return isKnown ? [] : [`${place}: ${JSON.stringify(issue.input)} is not published`];
  });
}

function typed(type: unknown, value: string): string | number | boolean {
  if (type === 'integer') return Number(value);
  return type === 'boolean' && (value === 'true' || value === 'false') ? value === 'true' : value;
}

/** Query parameters are text; converts those that the schema declares as numbers or booleans. */
function typedQuery(schema: JsonSchema, params: URLSearchParams): Record<string, string | number | boolean> {
  const types = properties.parse(schema).properties;
  return Object.fromEntries([...params].map(([name, value]) => [name, typed(types[name]?.type, value)]));
}

/** Header names in lower case, as in Node.js. */
function lowerCase(schema: JsonSchema): JsonSchema {
  const all = Object.entries(properties.parse(schema).properties);
  return { ...schema, properties: Object.fromEntries(all.map(([name, one]) => [name.toLowerCase(), one])) };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
