import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { runCommand } from './process/lifetime';
import { projectRoot } from './process/root';

/** The operations of each document that LinkMarket or its PayPal sandbox uses. */
const operations = {
  checkout_orders_v2: [
    'POST /v2/checkout/orders',
    'GET /v2/checkout/orders/{id}',
    'POST /v2/checkout/orders/{id}/capture',
  ],
  payments_payment_v2: [
    'GET /v2/payments/captures/{capture_id}',
    'POST /v2/payments/captures/{capture_id}/refund',
    'GET /v2/payments/refunds/{refund_id}',
  ],
  customer_disputes_v1: ['GET /v1/customer/disputes', 'GET /v1/customer/disputes/{id}'],
  notifications_webhooks_v1: [
    'GET /v1/notifications/webhooks',
    'GET /v1/notifications/webhooks-events',
    'POST /v1/notifications/verify-webhook-signature',
  ],
  payments_payouts_batch_v1: [
    'POST /v1/payments/payouts',
    'GET /v1/payments/payouts/{id}',
    'GET /v1/payments/payouts-item/{payout_item_id}',
    'POST /v1/payments/payouts-item/{payout_item_id}/cancel',
  ],
  reporting_transactions_v1: ['GET /v1/reporting/transactions'],
} as const;

/** Properties that a wallet payment by PayPal never has. They are excluded, so that the schemas reject them. */
const excluded = new Set([
  ...[
    'shipping',
    'items',
    'payment_instruction',
    'processing_instruction',
    'offer',
    'evidences',
    'communication_details',
  ],
  ...['stored_credential', 'vault', 'attributes', 'supporting_info', 'messages', 'extensions', 'adjudications'],
  ...[
    'processor_response',
    'network_transaction_reference',
    'authorizations',
    'card',
    'stored_payment_source',
    'phone',
  ],
  ...[
    'cobranded_cards',
    'gross_asset',
    'asset',
    'asset_refunded',
    'payment_processor',
    'shipping_address',
    'address_name',
  ],
  ...['refund_details', 'dispute_asset', 'fee_policy', 'allowed_response_options', 'buyer_response_due_date'],
  ...['platform_fees', 'items_details', 'cart_info', 'store_info', 'auction_info', 'incentive_info', 'shipping_info'],
]);
/** Schemas of payouts, whose items are not those of a shopping cart. */
const withItems = new Set(['create_payout_request', 'payout_batch']);
/** The allowed sources of `payment_source`. */
const includedSources = new Set(['paypal']);

type Schema = { [key: string]: unknown };
const schema = z.record(z.string(), z.unknown());
const schemas = z.array(schema);
const operation = z.object({
  parameters: z.array(schema).default([]),
  requestBody: z
    .object({ required: z.boolean().default(false), content: z.record(z.string(), z.object({ schema })) })
    .optional(),
  responses: z.record(z.string(), z.unknown()),
});
const response = z.object({ content: z.record(z.string(), z.object({ schema })).optional() });
const parameter = z.object({ name: z.string(), in: z.string(), required: z.boolean().default(false), schema });
const documentSchema = z.object({
  info: z.object({ version: z.string(), license: z.object({ name: z.string() }).optional() }),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
});

/**
 * `npm run paypal:schemas -- <folder>`: reads PayPal's published OpenAPI documents (a checkout of
 * github.com/paypal/paypal-rest-api-specifications, Apache License 2.0) and writes the parts used by the conformance
 * tests to tests/setup/conformance/paypal-schemas.json: names, types, patterns, lengths and values, as closed schemas
 * without `allOf`, descriptions and examples.
 */
runCommand(async (lifetime) => {
  const folder = process.argv[2];
  if (!folder) throw new Error('Choose the checkout of paypal-rest-api-specifications.');
  const commit = execFileSync('git', ['-C', folder, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  const apis = Object.entries(operations).map(([name, wanted]) => {
    const text = readFileSync(join(folder, 'openapi', `${name}.json`), 'utf8');
    return [name, reduce(JSON.parse(text), wanted)] as const;
  });
  const written = {
    source: `github.com/paypal/paypal-rest-api-specifications, openapi, commit ${commit}`,
    license: 'Apache-2.0. Reduced and changed by scripts/paypal-schemas.ts.',
    apis: Object.fromEntries(apis),
  };
  const file = 'tests/setup/conformance/paypal-schemas.json';
  writeFileSync(join(projectRoot, file), `${JSON.stringify(written)}\n`);
  execFileSync('npx', ['biome', 'format', '--write', file], { cwd: projectRoot });
  await lifetime.end(0);
});

function reduce(json: unknown, requested: readonly string[]) {
  const { info, paths } = documentSchema.parse(json);
  const known: Record<string, Schema> = {};
  const found = requested.map((place) => {
    const [method = '', path = ''] = place.split(' ');
    const { parameters, requestBody, responses } = operation.parse(paths[path]?.[method.toLowerCase()]);
    const input = parameters.map((one) => parameter.parse(resolve(one)));
    const body = Object.values(requestBody?.content ?? {})[0]?.schema;
    const answers = Object.entries(responses).flatMap(([status, one]) => {
      const answered = Object.values(response.parse(resolve(schema.parse(one))).content ?? {})[0]?.schema;
      return answered ? [[status, reduced(answered)] as const] : [];
    });
    const of = (place: string) => input.filter((one) => one.in === place);
    return [
      place,
      {
        path: object(of('path')),
        query: object(of('query')),
        header: object(of('header')),
        ...(body && { body: reduced(body), isBodyRequired: requestBody?.required ?? false }),
        answers: Object.fromEntries(answers),
      },
    ] as const;
  });
  return { version: info.version, operations: Object.fromEntries(found), $defs: known };

  function object(parameters: z.output<typeof parameter>[]): Schema {
    const required = parameters.filter((one) => one.required).map(({ name }) => name);
    return {
      type: 'object',
      properties: Object.fromEntries(parameters.map((one) => [one.name, reduced(one.schema)])),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    };
  }

  /** Resolves `#/components/…`. */
  function resolve(node: Schema): Schema {
    if (typeof node.$ref !== 'string') return node;
    const { $ref, ...rest } = node;
    let target: unknown = json;
    for (const part of $ref.slice(2).split('/')) target = schema.parse(target)[part.replaceAll('~1', '/')];
    return { ...resolve(schema.parse(target)), ...rest };
  }

  /** Merges `$ref` and `allOf` of a schema; a property of two parts must match both. */
  function flat(node: Schema): Schema {
    const { allOf, ...own } = resolve(node);
    let merged: Schema = own;
    for (const part of allOf === undefined ? [] : schemas.parse(allOf)) merged = merge(merged, flat(part));
    return merged;
  }

  function merge(one: Schema, other: Schema): Schema {
    const [first, second] = [schema.parse(one.properties ?? {}), schema.parse(other.properties ?? {})];
    const properties = { ...first, ...second };
    for (const name of Object.keys(first))
      if (name in second) properties[name] = { allOf: [first[name], second[name]] };
    const required = [
      ...new Set([
        ...z.array(z.string()).parse(one.required ?? []),
        ...z.array(z.string()).parse(other.required ?? []),
      ]),
    ];
    const items = one.items && other.items ? { allOf: [one.items, other.items] } : (one.items ?? other.items);
    return {
      ...one,
      ...other,
      ...(Object.keys(properties).length > 0 && { properties }),
      ...(required.length > 0 && { required }),
      ...(items !== undefined && { items }),
    };
  }

  /** Returns the closed schema; a named one is stored in `$defs`. */
  function reduced(node: Schema): Schema {
    const name = typeof node.$ref === 'string' ? /^#\/components\/schemas\/(.+)$/.exec(node.$ref)?.[1] : undefined;
    if (name === undefined) return closed(flat(node));
    if (!(name in known)) {
      known[name] = {};
      known[name] = closed(flat(node), name);
    }
    return { $ref: `#/$defs/${name}` };
  }

  function closed(node: Schema, name = ''): Schema {
    const { anyOf, oneOf, ...base } = node;
    const branches = anyOf ?? oneOf;
    if (branches !== undefined) {
      const parts = schemas.parse(branches).map(flat);
      const issues = parts.flatMap((one) => issueOf(one) ?? []);
      if (issues.length < parts.length) return { anyOf: parts.map((one) => closed(merge(base, one))) };
      const properties = schema.parse(base.properties ?? {});
      return closed({
        ...base,
        properties: { ...properties, issue: { type: 'string', enum: [...new Set(issues)].sort() } },
      });
    }
    const keywords = Object.fromEntries(
      [
        'type',
        'format',
        'pattern',
        'minLength',
        'maxLength',
        'minItems',
        'maxItems',
        'minimum',
        'maximum',
        'required',
      ].flatMap((key) => (node[key] === undefined ? [] : [[key, node[key]]])),
    );
    if (node.items !== undefined) return { ...keywords, type: 'array', items: reduced(schema.parse(node.items)) };
    if (Array.isArray(node.enum)) {
      const isText = node.enum.some((value) => String(value).includes(' '));
      return isText ? { type: 'string' } : { type: node.type ?? 'string', enum: node.enum };
    }
    if (node.properties === undefined) return node.type === 'object' ? { type: 'object' } : keywords;
    const all = Object.entries(schema.parse(node.properties)).filter(([key]) => isKept(name, key));
    return {
      ...keywords,
      type: 'object',
      properties: Object.fromEntries(all.map(([key, value]) => [key, reduced(schema.parse(value))])),
      additionalProperties: node.additionalProperties === true,
    };
  }
}

function isKept(name: string, key: string): boolean {
  if (name.startsWith('payment_source')) return includedSources.has(key);
  if (name === 'dispute_search' || withItems.has(name)) return true;
  return !excluded.has(key);
}

/** Returns the issues of a branch: error responses list them as alternatives of one value each. */
function issueOf(branch: Schema): string[] | null {
  const parsed = z
    .object({ properties: z.object({ issue: z.object({ enum: z.array(z.string()) }) }) })
    .safeParse(branch);
  return parsed.success ? parsed.data.properties.issue.enum : null;
}
