import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type ts from 'typescript';
import { z } from 'zod';

export type Shape =
  | { kind: 'any' }
  | { kind: 'primitive'; type: string }
  | { kind: 'literal'; value: string | number | boolean | null }
  | { kind: 'array'; of: Shape }
  | { kind: 'union'; of: Shape[] }
  /** An entry of `objects`. */
  | { kind: 'object'; index: number }
  /** An object of the API that the sandbox does not implement: it is referenced by its id and never expanded. */
  | { kind: 'unexpanded'; name: string };

const shape: z.ZodType<Shape> = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('any') }),
    z.object({ kind: z.literal('primitive'), type: z.string() }),
    z.object({ kind: z.literal('literal'), value: z.union([z.string(), z.number(), z.boolean(), z.null()]) }),
    z.object({ kind: z.literal('array'), of: shape }),
    z.object({ kind: z.literal('union'), of: z.array(shape) }),
    z.object({ kind: z.literal('object'), index: z.number() }),
    z.object({ kind: z.literal('unexpanded'), name: z.string() }),
  ]),
);
const objectShape = z.object({
  properties: z.record(z.string(), z.object({ shape, isOptional: z.boolean() })),
  /** The type of further properties, as in metadata; null where there are none. */
  rest: shape.nullable(),
});
const declarations = z.object({ roots: z.record(z.string(), shape), objects: z.array(objectShape) });
export type StripeDeclarations = z.infer<typeof declarations>;

/** The types that requests, responses and events of the sandbox are compared with, by the names that the rules use. */
const rootsSource = `
import type Stripe from 'stripe';
type EventOf<Type extends string> = Extract<Stripe.Event, { type: Type }>;
export type Roots = {
  'POST /v1/checkout/sessions': Stripe.Checkout.SessionCreateParams;
  'GET /v1/checkout/sessions/:id': Stripe.Checkout.SessionRetrieveParams;
  'POST /v1/checkout/sessions/:id/expire': Stripe.Checkout.SessionExpireParams;
  'GET /v1/payment_intents/:id': Stripe.PaymentIntentRetrieveParams;
  'GET /v1/charges/:id': Stripe.ChargeRetrieveParams;
  'POST /v1/refunds': Stripe.RefundCreateParams;
  'GET /v1/refunds': Stripe.RefundListParams;
  'GET /v1/refunds/:id': Stripe.RefundRetrieveParams;
  'GET /v1/disputes/:id': Stripe.DisputeRetrieveParams;
  'GET /v1/disputes': Stripe.DisputeListParams;
  'GET /v1/payouts': Stripe.PayoutListParams;
  'GET /v1/events': Stripe.EventListParams;
  'GET /v1/balance_transactions': Stripe.BalanceTransactionListParams;
  'checkout.session': Stripe.Checkout.Session;
  payment_intent: Stripe.PaymentIntent;
  charge: Stripe.Charge;
  refund: Stripe.Refund;
  dispute: Stripe.Dispute;
  account: Stripe.Account;
  balance: Stripe.Balance;
  balance_transaction: Stripe.BalanceTransaction;
  payout: Stripe.Payout;
  'checkout.session.completed': EventOf<'checkout.session.completed'>;
  'checkout.session.async_payment_succeeded': EventOf<'checkout.session.async_payment_succeeded'>;
  'checkout.session.async_payment_failed': EventOf<'checkout.session.async_payment_failed'>;
  'checkout.session.expired': EventOf<'checkout.session.expired'>;
  'charge.refunded': EventOf<'charge.refunded'>;
  'charge.refund.updated': EventOf<'charge.refund.updated'>;
  'refund.created': EventOf<'refund.created'>;
  'refund.updated': EventOf<'refund.updated'>;
  'refund.failed': EventOf<'refund.failed'>;
  'charge.dispute.created': EventOf<'charge.dispute.created'>;
  'charge.dispute.updated': EventOf<'charge.dispute.updated'>;
  'charge.dispute.closed': EventOf<'charge.dispute.closed'>;
  'charge.dispute.funds_withdrawn': EventOf<'charge.dispute.funds_withdrawn'>;
  'charge.dispute.funds_reinstated': EventOf<'charge.dispute.funds_reinstated'>;
};`;

/** The API objects that the sandbox implements, by the value of `object`. */
const expandable = new Set([
  'checkout.session',
  'payment_intent',
  'charge',
  'refund',
  'dispute',
  'account',
  'balance',
  'balance_transaction',
  'payout',
  'event',
]);

/**
 * Stripe's declarations as closed schemas, read from the `stripe` package by the TypeScript compiler. Cached in
 * node_modules/.cache, because the compiler takes seconds and every test file needs them; it is loaded only to fill the
 * cache.
 * @param root the repository
 */
export async function stripeDeclarations(root: string): Promise<StripeDeclarations> {
  const version = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(root, 'node_modules/stripe/package.json'), 'utf8'))).version;
  const self = readFileSync(join(root, 'tests/setup/conformance/stripe-declarations.ts'), 'utf8');
  const key = createHash('sha256').update(self).update(version).digest('hex').slice(0, 16);
  const folder = join(root, 'node_modules/.cache/conformance');
  const file = join(folder, `stripe-${key}.json`);
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    const written = `${file}.${process.pid}`;
    writeFileSync(written, JSON.stringify(await readDeclarations(root)));
    renameSync(written, file);
  }
  return declarations.parse(JSON.parse(readFileSync(file, 'utf8')));
}

async function readDeclarations(root: string): Promise<StripeDeclarations> {
  const { default: ts } = await import('typescript');
  const rootFile = join(root, 'stripe-roots.ts');
  const options: ts.CompilerOptions = {
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts'],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (name) => name === rootFile || fileExists(name);
  host.readFile = (name) => (name === rootFile ? rootsSource : readFile(name));
  host.getSourceFile = (name, language, ...rest) =>
    name === rootFile ? ts.createSourceFile(name, rootsSource, language) : getSourceFile(name, language, ...rest);
  const program = ts.createProgram([rootFile], options, host);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(rootFile);
  const alias = source?.statements.find(
    (one): one is ts.TypeAliasDeclaration => ts.isTypeAliasDeclaration(one) && one.name.text === 'Roots',
  );
  if (!alias) throw new Error('The roots of the declarations are missing.');
  const objects: StripeDeclarations['objects'] = [];
  const known = new Map<ts.Type, number>();

  function shapeOf(type: ts.Type): Shape {
    const { flags } = type;
    if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return { kind: 'any' };
    if (type.isStringLiteral() || type.isNumberLiteral()) return { kind: 'literal', value: type.value };
    if (flags & ts.TypeFlags.BooleanLiteral) return { kind: 'literal', value: checker.typeToString(type) === 'true' };
    if (flags & ts.TypeFlags.Null) return { kind: 'literal', value: null };
    if (flags & ts.TypeFlags.StringLike) return { kind: 'primitive', type: 'string' };
    if (flags & ts.TypeFlags.NumberLike) return { kind: 'primitive', type: 'number' };
    if (flags & ts.TypeFlags.Boolean) return { kind: 'primitive', type: 'boolean' };
    if (type.isUnion()) {
      const members = type.types.filter((one) => !(one.flags & ts.TypeFlags.Undefined));
      return { kind: 'union', of: members.map(shapeOf) };
    }
    const element = checker.isArrayType(type) ? checker.getTypeArguments(type as ts.TypeReference)[0] : undefined;
    if (element) return { kind: 'array', of: shapeOf(element) };
    const name = resourceName(type);
    if (name !== null && !expandable.has(name)) return { kind: 'unexpanded', name };
    return { kind: 'object', index: indexOf(type) };
  }

  /** The value of `object`; only objects of the API have both it and an id. */
  function resourceName(type: ts.Type): string | null {
    const property = type.getProperty('object');
    if (!property || !type.getProperty('id')) return null;
    const literal = checker.getTypeOfSymbol(property);
    return literal.isStringLiteral() ? literal.value : null;
  }

  function indexOf(type: ts.Type): number {
    const found = known.get(type);
    if (found !== undefined) return found;
    const index = objects.length;
    known.set(type, index);
    const rest = type.getStringIndexType();
    const made: StripeDeclarations['objects'][number] = { properties: {}, rest: null };
    objects.push(made);
    made.rest = rest ? shapeOf(rest) : null;
    for (const property of type.getProperties()) {
      made.properties[property.name] = {
        shape: shapeOf(checker.getTypeOfSymbol(property)),
        isOptional: (property.flags & ts.SymbolFlags.Optional) !== 0,
      };
    }
    return index;
  }

  const roots = checker.getTypeFromTypeNode(alias.type).getProperties();
  return {
    roots: Object.fromEntries(roots.map((one) => [one.name, shapeOf(checker.getTypeOfSymbol(one))])),
    objects,
  };
}
