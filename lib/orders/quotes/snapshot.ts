import { z } from 'zod';
import { briefWriters, linkRels } from '@/db/schema/placements';
import { currencies, formatMoney, walletCurrency } from '@/lib/money';
import { resolveBrief } from '@/lib/orders/briefs/schemas';
import type { OrderPlan } from '@/lib/orders/plan';

const quotedBrief = z.object({
  targetUrl: z.string(),
  anchor: z.string(),
  writer: z.enum(briefWriters),
  words: z.int().nullable(),
  notes: z.string(),
  notBefore: z.string().nullable(),
  rel: z.enum(linkRels),
  articleId: z.string().nullable(),
});

const quotedItem = z.object({
  siteId: z.int().nullable(),
  packageId: z.int().nullable(),
  website: z.string(),
  postType: z.string(),
  packageName: z.string(),
  packageDesc: z.string(),
  quantity: z.int(),
  priceCents: z.int(),
  currency: z.enum(currencies),
  usdMicrosPerUnit: z.int(),
  chargedCents: z.int(),
  brief: quotedBrief,
});
type QuotedItem = z.output<typeof quotedItem>;

/** The items of a quote as they are stored: everything that must not change before the order. */
export const quoteSnapshot = z.object({ items: z.array(quotedItem) });
export type QuoteSnapshot = z.output<typeof quoteSnapshot>;

/** Takes the snapshot of what would be ordered now. The schema fixes the fields and their order. */
export function takeSnapshot({ items, briefs, project }: OrderPlan): QuoteSnapshot {
  return quoteSnapshot.parse({
    items: items.map((item) => ({
      ...item,
      brief: resolveBrief(project.targetUrl, briefs.common, briefs.exceptions.get(item.siteId ?? 0)),
    })),
  });
}

/** Describes in sentences what differs between a quote and the current state; none if nothing does. */
export function describeChanges(quoted: QuoteSnapshot, current: QuoteSnapshot): string[] {
  return quoted.items.flatMap((item, index) => {
    const now = current.items[index];
    return now === undefined || JSON.stringify(now) === JSON.stringify(item) ? [] : [describeChange(item, now)];
  });
}

function describeChange(quoted: QuotedItem, now: QuotedItem): string {
  // By number: models read this text, and sellers write the addresses of sites.
  const name = quoted.siteId === null ? `package #${quoted.packageId}` : `site #${quoted.siteId}`;
  if (now.priceCents !== quoted.priceCents || now.currency !== quoted.currency)
    return `The price of ${name} is now ${formatMoney(now.priceCents, now.currency)}, not ${formatMoney(quoted.priceCents, quoted.currency)}.`;
  if (now.usdMicrosPerUnit !== quoted.usdMicrosPerUnit)
    return `The exchange rate of ${now.currency} changed: ${name} now costs ${usd(now.chargedCents)}, not ${usd(quoted.chargedCents)}.`;
  if (JSON.stringify(now.brief) !== JSON.stringify(quoted.brief)) return `The brief for ${name} changed.`;
  return `The description of ${name} changed.`;
}

const usd = (cents: number) => formatMoney(cents, walletCurrency);
