import { resolve } from 'node:path';
import { z } from 'zod';
import { parseForm } from '@/sandbox/stripe/form';
import type { Rules } from './provider-rules';
import { type Shape, stripeDeclarations } from './stripe-declarations';

const root = resolve(import.meta.dirname, '../../..');
const declarations = await stripeDeclarations(root);

/** The id formats of Stripe's objects, by the value of `object`. */
const idPatterns: Readonly<Record<string, RegExp>> = {
  'checkout.session': /^cs_(test|live)_[A-Za-z0-9]{58,}$/,
  payment_intent: /^pi_[A-Za-z0-9]{24}$/,
  charge: /^(ch|py)_[A-Za-z0-9]{24}$/,
  refund: /^(re|pyr)_[A-Za-z0-9]{24}$/,
  dispute: /^(dp|du)_[A-Za-z0-9]{24}$/,
  balance_transaction: /^txn_[A-Za-z0-9]{24}$/,
  payout: /^po_[A-Za-z0-9]{24}$/,
  event: /^evt_[A-Za-z0-9]{24}$/,
  account: /^acct_[A-Za-z0-9]{16}$/,
};

const page = z.object({
  object: z.literal('list'),
  data: z.array(z.unknown()),
  has_more: z.boolean(),
  url: z.string(),
});
const named = z.object({ object: z.string() });
const failure = z.strictObject({
  error: z.strictObject({
    type: z.enum(['api_error', 'card_error', 'idempotency_error', 'invalid_request_error']),
    message: z.string(),
    code: z.string().optional(),
    param: z.string().optional(),
  }),
});

/** The rules of Stripe, from the declarations of its SDK. */
export const stripeRules: Rules = {
  call({ request, response }) {
    const place = `${request.method} ${request.url.pathname.replace(/^(\/v1\/.+)\/[a-z]+_[A-Za-z0-9_]+/, '$1/:id')}`;
    const json: unknown = JSON.parse(String(response.body));
    if (response.status >= 400) {
      const parsed = failure.safeParse(json);
      return parsed.success ? [] : [`${place}: ${z.prettifyError(parsed.error)}`];
    }
    const sent = request.method === 'POST' ? request.body : request.url.search.slice(1);
    const params = declarations.roots[place];
    const requestFindings = params
      ? findingsOf(parseForm(sent), params, `${place} request`, true)
      : sent === ''
        ? []
        : [`${place}: no declaration of its parameters`];
    return [...requestFindings, ...answered(json, `${place} answer`)];
  },
  event({ event }) {
    const json: unknown = JSON.parse(event.body);
    const declared = declarations.roots[event.type];
    return declared ? findingsOf(json, declared, event.type) : [`${event.type}: no declaration of this event`];
  },
};

function answered(json: unknown, place: string): string[] {
  const list = page.safeParse(json);
  if (list.success) return list.data.data.flatMap((one) => answered(one, `${place}[]`));
  const object = named.safeParse(json);
  const declared = object.success
    ? declarations.roots[object.data.object === 'event' ? eventType(json) : object.data.object]
    : undefined;
  return declared ? findingsOf(json, declared, place) : [`${place}: no declaration of this answer`];
}

const eventType = (json: unknown): string => z.object({ type: z.string() }).parse(json).type;

/**
 * The differences between a value and its declaration.
 * @param isForm whether the values come from a form, where numbers and booleans are text
 */
function findingsOf(value: unknown, shape: Shape, place: string, isForm = false): string[] {
  switch (shape.kind) {
    case 'any':
      return [];
    case 'literal':
      return value === shape.value || (isForm && value === String(shape.value))
        ? []
        : [`${place}: ${JSON.stringify(value)} is not ${JSON.stringify(shape.value)}`];
    case 'primitive':
      return isPrimitive(value, shape.type, isForm) ? [] : [`${place}: ${JSON.stringify(value)} is no ${shape.type}`];
    case 'array':
      return Array.isArray(value)
        ? value.flatMap((one: unknown, index) => findingsOf(one, shape.of, `${place}[${index}]`, isForm))
        : [`${place}: is no list`];
    case 'union': {
      const tried = shape.of.map((one) => findingsOf(value, one, place, isForm));
      return tried.reduce((best, one) => (weight(one, place) < weight(best, place) ? one : best), tried[0] ?? []);
    }
    case 'unexpanded':
      return [`${place}: is a ${shape.name} in full`];
    case 'object':
      return objectFindings(value, shape.index, place, isForm);
  }
}

/**
 * The weight of a union member's findings; those of the lightest member are reported. A difference in a nested property
 * weighs less than another type.
 */
const weight = (findings: readonly string[], place: string): number =>
  findings.some((one) => one.startsWith(`${place}: `)) ? 1_000 + findings.length : findings.length;

function isPrimitive(value: unknown, type: string, isForm: boolean): boolean {
  if (!isForm || type === 'string') return typeof value === type;
  return type === 'number'
    ? typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)
    : value === 'true' || value === 'false';
}

const record = z.record(z.string(), z.unknown());

function objectFindings(value: unknown, index: number, place: string, isForm: boolean): string[] {
  const declared = declarations.objects[index];
  if (!declared) throw new Error(`No declaration ${index}`);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [`${place}: ${JSON.stringify(value)} is no object`];
  const given = record.parse(value);
  const missing = Object.entries(declared.properties)
    .filter(([name, { isOptional }]) => !isOptional && given[name] === undefined)
    .map(([name]) => `${place}.${name} is missing`);
  const wrong = Object.entries(given).flatMap(([name, one]) => {
    const property = declared.properties[name]?.shape ?? declared.rest;
    return property ? findingsOf(one, property, `${place}.${name}`, isForm) : [`${place}.${name} is not declared`];
  });
  const pattern = typeof given.object === 'string' ? idPatterns[given.object] : undefined;
  const isNamed =
    pattern === undefined || (typeof given.id === 'string' && pattern.test(given.id)) || given.id === undefined;
  return [
    ...missing,
    ...wrong,
    ...(isNamed ? [] : [`${place}.id: ${String(given.id)} is no id of a ${String(given.object)}`]),
  ];
}
