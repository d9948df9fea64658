import { z } from 'zod';
import { currencies, parseMoney } from '@/lib/money';
import { nameField, versionField } from '@/lib/platform/http/fields';
import { parseField } from '@/lib/platform/parse-number';
import { maxPriceCents } from './price-by-rule';

const marginMessage = 'Use a percentage from 0 to 1,000, e.g. 25.';

/** A percentage with at most two decimals, in the notations of a file, converted to basis points. */
export const marginField = z.string(marginMessage).transform((text, context) => {
  const { decimal, reason } = parseField(text, { label: 'Margin', kind: 'score', min: 0, max: 1_000 });
  const basisPoints = Math.round(Number(decimal) * 10_000) / 100;
  if (reason === undefined && Number.isInteger(basisPoints)) return basisPoints;
  context.addIssue({ code: 'custom', message: reason ?? marginMessage });
  return z.NEVER;
});

const minimumMessage = 'Enter an amount from 0 to 1,000,000, e.g. 10.';
const minimum = z.string(minimumMessage).transform((text, context) => {
  if (text.trim() === '') return 0;
  const { decimal, reason } = parseField(text, { label: 'Minimum', kind: 'money' }, 'typed');
  const cents = parseMoney(decimal ?? '');
  if (reason === undefined && cents !== null && cents <= maxPriceCents) return cents;
  context.addIssue({ code: 'custom', message: reason ?? minimumMessage });
  return z.NEVER;
});

const orNull = <Schema extends z.ZodType>(schema: Schema, message: string) =>
  z.union([z.literal('').transform(() => null), z.null(), schema], message);

/** A rule as its form sends it. An empty seller, niche or currency is any. */
export const commissionRuleInput = z.object({
  sellerId: orNull(z.string().max(64), 'Choose a seller.'),
  niche: orNull(nameField('Choose a niche.', 100), 'Choose a niche.'),
  currency: orNull(z.enum(currencies), 'Choose a currency.'),
  margin: marginField,
  minimum,
});

export const editCommissionRuleInput = commissionRuleInput.extend({ id: z.string().max(64), version: versionField });
export const deleteCommissionRuleInput = editCommissionRuleInput.pick({ id: true, version: true });

/** The maximum number of sites in one bulk change. */
const maxBulkSites = 500;
const siteId = z.number().int().min(1).max(2_147_483_647);
const chosen = 'Choose at least one site.';
const tooMany = `Choose at most ${maxBulkSites} sites.`;

/** The ids of the sites of a bulk change. */
export const siteIdsField = z
  .array(siteId, chosen)
  .min(1, chosen)
  .max(maxBulkSites, tooMany)
  .transform((ids) => [...new Set(ids)]);

export const previewPricesInput = z.object({ ids: siteIdsField });

/** The prices of a preview, with the versions of the sites that it was made from. */
export const applyPricesInput = z.object({
  sites: z
    .array(z.object({ id: siteId, version: versionField, priceCents: z.int().min(1).max(maxPriceCents) }), chosen)
    .min(1, chosen)
    .max(maxBulkSites, tooMany),
});
