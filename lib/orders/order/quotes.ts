import { and, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { orderQuotes } from '@/db/schema/orders';
import { taxCategories } from '@/db/schema/tax';
import type { Actor } from '@/lib/access/actor';
import { AppError, type ErrorCode } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { currencies, formatMoney, formatUsd, toDecimalString } from '@/lib/money';
import { resolveBrief } from '@/lib/orders/briefs/schemas';
import { chosenOptionView } from '@/lib/orders/options/choose';
import { parseInput } from '@/lib/platform/http/parse';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { requireFlag } from '@/lib/settings/feature-flags';
import { getMissingCents } from './amounts';
import { type CreateOrderResult, createOrder } from './create';
import { requireNew } from './duplicates';
import { getOrderContext, type OrderPlan, planOrder } from './plan';
import { briefResponse, createOrderBody, itemFields, orderOptionResponse, orderWarningResponse } from './schemas';

/** How long a quote can be placed, in minutes. */
const quoteMinutes = 10;

const [packageOrder, customOrder] = createOrderBody.options;

/** The body of POST /api/quotes: an order without the total that the buyer saw, which the quote tells. */
export const createQuoteBody = z.discriminatedUnion('kind', [
  packageOrder.omit({ shownTotalCents: true }),
  customOrder.omit({ shownTotalCents: true }),
]);
type CreateQuoteInput = z.output<typeof createQuoteBody>;

export const quoteIdParams = z.object({ id: z.string().min(1).max(64).describe('The `id` of the quote.') });

/** The body of POST /api/quotes/{id}/place. */
export const placeQuoteBody = z.object({
  expectedTotalCents: z
    .int('Enter the totalCents of the quote.')
    .min(0, 'Enter the totalCents of the quote.')
    .describe('The `totalCents` of the quote that the buyer agreed to. Another total is refused.'),
});

const quotedFields = { siteId: z.int().nullable(), packageId: z.int().nullable(), ...itemFields };
const quotedBrief = briefResponse
  .omit({ articleFileName: true, version: true })
  .extend({ articleId: z.string().nullable() })
  .meta({ title: 'QuotedBrief' });

const quotedOption = orderOptionResponse.pick({
  optionId: true,
  kind: true,
  days: true,
  topic: true,
  words: true,
  chargedCents: true,
});

const quotedItemResponse = z.object({
  ...quotedFields,
  price: z.number().describe('In `currency`, in major units.'),
  currency: z.enum(currencies),
  usdPerUnit: z.number().describe('The exchange rate: USD for one unit of `currency`.'),
  chargedCents: z.int().describe('The price in USD cents, which the wallet pays with `taxCents`.'),
  taxCents: z.int().describe('The tax on `chargedCents`, in USD cents; 0 without tax.'),
  brief: quotedBrief,
  options: z.array(quotedOption).describe('The chosen options of the site; `chargedCents` includes them.'),
});

const quotedTax = z.object({
  rate: z.int().describe('In hundredths of a percent: 1900 is 19 %.'),
  category: z.enum(taxCategories).describe('The category of EN 16931: S, Z, E, AE or O.'),
  text: z.string().describe('The words on the document, such as “Reverse charge”; may be empty.'),
  country: z.string().describe('The country whose tax it is; empty for none.'),
});

/** What an order would cost. */
export const quoteResponse = z
  .object({
    id: z.string(),
    expiresAt: z.iso.datetime(),
    projectId: z.string(),
    projectDomain: z.string(),
    items: z.array(quotedItemResponse),
    warnings: z
      .array(orderWarningResponse)
      .describe('What to tell the buyer before the order: sites that do not publish the link that the brief asks for.'),
    netCents: z.int().describe('The sum of `chargedCents`, in USD cents.'),
    taxCents: z.int().describe('The sum of `taxCents`, in USD cents.'),
    tax: quotedTax.nullable().describe('What the items are taxed at; null while this marketplace charges no tax.'),
    totalCents: z.int().describe('What the wallet pays, with tax, in USD cents.'),
    balanceCents: z.int().describe("The wallet's balance in USD cents."),
    missingCents: z.int().describe('What to add to the wallet first, in USD cents; 0 if the balance suffices.'),
    topUpPath: z.string().nullable().describe('The page that adds the missing amount; null if the balance suffices.'),
  })
  .meta({ title: 'OrderQuote' });
type QuoteView = z.output<typeof quoteResponse>;

/**
 * Prices an order without placing it. The quote can be placed for ten minutes, by the same API token or session, and once
 * (place.ts). A balance that is too low is no error here: the quote tells what is missing.
 * @throws AppError not_configured while the MCP server is turned off, which is the only user of quotes; rate_limited; and
 * those of `createOrder`, except insufficient_funds
 */
export async function createQuote(actor: Actor, input: CreateQuoteInput): Promise<QuoteView> {
  await requireFlag('mcp');
  await consumeLimit('quote', { account: actor.userId, address: actor.ip });
  const plan = planOrder(await getOrderContext(actor, input), actor, input);
  const { netCents, taxCents, totalCents, project } = plan;
  if (input.kind === 'custom' && input.rejectDuplicates) await requireNew(db(), project, input.siteIds);
  const snapshot = takeSnapshot(plan);
  const [row] = await db()
    .insert(orderQuotes)
    .values({
      id: newId(),
      accountId: actor.accountId,
      credentialId: getCredentialId(actor),
      request: input,
      snapshot,
      totalCents,
      expiresAt: sql`now() + make_interval(mins => ${quoteMinutes})`,
    })
    .returning({ id: orderQuotes.id, expiresAt: orderQuotes.expiresAt });
  if (!row) throw new Error('The quote was not inserted.');
  const balanceCents = plan.balanceCents ?? 0;
  const missingCents = totalCents > balanceCents ? getMissingCents(totalCents, balanceCents) : 0;
  return {
    id: row.id,
    expiresAt: row.expiresAt.toISOString(),
    projectId: project.id,
    projectDomain: project.domain,
    items: snapshot.items.map(itemView),
    warnings: plan.warnings,
    ...{ netCents, taxCents, tax: snapshot.tax, totalCents },
    balanceCents,
    missingCents,
    topUpPath: missingCents === 0 ? null : `/user/wallet?topup=${toDecimalString(missingCents)}`,
  };
}

/** Returns the id of the API token or session of a request. */
const getCredentialId = ({ token, sessionId }: Pick<Actor, 'token' | 'sessionId'>): string => token?.id ?? sessionId;

function itemView({
  priceCents,
  usdMicrosPerUnit,
  ...item
}: QuoteSnapshot['items'][number]): QuoteView['items'][number] {
  return { ...item, price: priceCents / 100, usdPerUnit: usdMicrosPerUnit / 1_000_000 };
}

/**
 * Places the order of a quote, exactly as it was quoted, and pays for it from the wallet. A repeat answers the same orders
 * and orders nothing, also after the quote expired; of two requests at once, one orders.
 * @param expectedTotalCents the total that the buyer agreed to, in USD cents
 * @throws AppError not_found for a quote of another user, token or session; conflict for another total, an expired quote,
 * and when a price, an exchange rate, the tax, an item or a brief changed; and those of `createOrder`
 */
export async function placeQuote(
  actor: Actor,
  quoteId: string,
  expectedTotalCents: number,
): Promise<CreateOrderResult> {
  await requireFlag('mcp');
  const [quote] = await db()
    .select({
      request: orderQuotes.request,
      snapshot: orderQuotes.snapshot,
      totalCents: orderQuotes.totalCents,
      isExpired: sql<boolean>`${orderQuotes.expiresAt} <= now()`,
    })
    .from(orderQuotes)
    .where(
      and(
        eq(orderQuotes.id, quoteId),
        eq(orderQuotes.accountId, actor.accountId),
        eq(orderQuotes.credentialId, getCredentialId(actor)),
      ),
    );
  if (!quote) throw new AppError('not_found', `This quote does not exist, or belongs to another token. ${askAgain}`);
  if (quote.totalCents !== expectedTotalCents) {
    const totals = `The total of the quote is ${formatUsd(quote.totalCents)}, not ${formatUsd(expectedTotalCents)}.`;
    throw new AppError('conflict', `${totals} Nothing was ordered. Show the buyer the total of the quote.`);
  }
  const quoted = quoteSnapshot.parse(quote.snapshot);
  const requireSame = (plan: OrderPlan) => {
    if (quote.isExpired) throw new AppError('conflict', `The quote expired: it was valid for ${quoteMinutes} minutes.`);
    const changes = describeChanges(quoted, takeSnapshot(plan));
    if (changes.length > 0) throw new AppError('conflict', changes.join(' '));
  };
  try {
    return await createOrder(actor, parseInput(createQuoteBody, quote.request), `quote:${quoteId}`, {
      review: requireSame,
    });
  } catch (thrown) {
    throw thrown instanceof AppError && staleCodes.includes(thrown.code)
      ? new AppError(thrown.code, `${thrown.message} Nothing was ordered. ${askAgain}`, thrown.details)
      : thrown;
  }
}

/** The refusals after which the quote cannot be placed any more. */
const staleCodes: readonly ErrorCode[] = [
  'billing_incomplete',
  'conflict',
  'duplicate_site',
  'invalid_input',
  'not_found',
  'not_configured',
];

const askAgain = 'Request a new quote and show it to the buyer.';

const quotedItem = z.object({
  ...quotedFields,
  priceCents: z.int(),
  currency: z.enum(currencies),
  usdMicrosPerUnit: z.int(),
  chargedCents: z.int(),
  taxCents: z.int(),
  brief: quotedBrief,
  // A quote of an earlier version has none.
  options: z.array(quotedOption).default([]),
});
type QuotedItem = z.output<typeof quotedItem>;

/** A quote as it is stored: everything that must not change before the order, be it to less. */
const quoteSnapshot = z.object({ items: z.array(quotedItem), tax: quotedTax.nullable() });
type QuoteSnapshot = z.output<typeof quoteSnapshot>;

/** Takes the snapshot of what would be ordered now. The schema fixes the fields and their order. */
function takeSnapshot({ items, briefs, project, options, tax }: OrderPlan): QuoteSnapshot {
  return quoteSnapshot.parse({
    items: items.map((item) => ({
      ...item,
      brief: resolveBrief(project.targetUrl, briefs.brief, briefs.briefs?.[item.siteId ?? 0]),
      options: (options.get(item.siteId ?? 0) ?? []).map(chosenOptionView),
    })),
    tax: tax?.decision ?? null,
  });
}

/** Describes in sentences what differs between a quote and the current state; none if nothing does. */
function describeChanges(quoted: QuoteSnapshot, current: QuoteSnapshot): string[] {
  const ofItems = quoted.items.flatMap((item, index) => {
    const now = current.items[index];
    const isSame = now === undefined || JSON.stringify({ ...now, taxCents: item.taxCents }) === JSON.stringify(item);
    return isSame ? [] : [describeChange(item, now)];
  });
  const isTaxSame = JSON.stringify(quoted.tax) === JSON.stringify(current.tax);
  return isTaxSame ? ofItems : [...ofItems, 'The tax on your orders changed.'];
}

function describeChange(quoted: QuotedItem, now: QuotedItem): string {
  // By number: models read this text, and sellers write the addresses of sites.
  const name = quoted.siteId === null ? `package #${quoted.packageId}` : `site #${quoted.siteId}`;
  if (now.priceCents !== quoted.priceCents || now.currency !== quoted.currency)
    return `The price of ${name} is now ${formatMoney(now.priceCents, now.currency)}, not ${formatMoney(quoted.priceCents, quoted.currency)}.`;
  if (now.usdMicrosPerUnit !== quoted.usdMicrosPerUnit)
    return `The exchange rate of ${now.currency} changed: ${name} now costs ${formatUsd(now.chargedCents)}, not ${formatUsd(quoted.chargedCents)}.`;
  if (JSON.stringify(now.brief) !== JSON.stringify(quoted.brief)) return `The brief for ${name} changed.`;
  if (JSON.stringify(now.options) !== JSON.stringify(quoted.options)) return `The options of ${name} changed.`;
  return `The description of ${name} changed.`;
}
