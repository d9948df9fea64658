import { z } from 'zod';
import { rejectionReasons } from '@/db/enums';
import { followTypes, siteStatuses } from '@/db/schema/sites';
import { currencies, parseMoney } from '@/lib/money';
import { idTextField, lineField, nameField, versionField } from '@/lib/platform/http/fields';
import { findCountry } from '@/lib/taxonomy/find-country';
import { toLanguageName } from '@/lib/taxonomy/find-language';
import { hasContactData } from './contact-data';
import { parseSamplePosts, parseSiteUrl, parseTurnaround, turnaroundMessage } from './field-values';
import { maxPriceCents } from './pricing/price-by-rule';

const isBlank = (input: unknown) => input === null || (typeof input === 'string' && input.trim() === '');

const url = z.string('Enter the site URL.').transform((typed, context) => {
  const address = parseSiteUrl(typed);
  if (address !== null) return address;
  const message = typed.trim() === '' ? 'Enter the site URL.' : 'Enter a web address, e.g. https://example.com.';
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

/** Builds the field of a text whose blank value becomes the given default. */
const textWithDefault = (standard: string) =>
  lineField(100)
    .nullable()
    .transform((text) => text || standard);

const turnaround = z
  .string()
  .trim()
  .max(100, 'Use at most 100 characters.')
  .nullable()
  .transform((text, context) => {
    const read = parseTurnaround(text ?? '');
    if (read) return read.tat;
    context.addIssue({ code: 'custom', message: turnaroundMessage(text ?? '') });
    return z.NEVER;
  });

const choiceWithDefault = <const Choice extends string>(choices: readonly Choice[], standard: Choice) =>
  z.preprocess((input) => (isBlank(input) ? standard : input), z.enum(choices, `Use one of ${choices.join(', ')}.`));

/** Builds the field of a number or its text from a form; blank is null (unknown). */
const figure = (max: number, message: string) =>
  z.union([z.number(), z.string(), z.null()], message).transform((input, context) => {
    if (isBlank(input)) return null;
    const isNumber = typeof input === 'number' || /^\d{1,15}(\.\d{1,10})?$/.test(input?.trim() ?? '');
    const value = Number(input);
    if (isNumber && value >= 0 && value <= max) return value;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
const score = figure(100, 'Use a number from 0 to 100.');
const amount = (max: number) =>
  figure(max, `Use a number from 0 to ${max.toLocaleString('en-US')}.`).transform((value) =>
    value === null ? null : Math.round(value),
  );
const count = amount(2_000_000_000);

/** An amount in major units, converted to minor units; blank is null. */
const price = z.union([z.number(), z.string(), z.null()], 'Use an amount, e.g. 120.').transform((input, context) => {
  if (input === null || isBlank(input)) return null;
  const cents = parseMoney(input);
  if (cents !== null && cents > 0 && cents <= maxPriceCents) return cents;
  context.addIssue({ code: 'custom', message: 'Use an amount from 0.01 to 1,000,000.' });
  return z.NEVER;
});

/** Returns the spelling of the catalog, for a code, an alias or another language; other text stays as it is. */
export const toCountryName = (text: string) => findCountry(text) ?? text;

/** URLs as a list or as text, one a line; stored one a line. */
const samplePosts = z
  .union([z.string().max(4_000), z.array(z.string().max(1_000)).max(20), z.null()], 'Use web addresses, one a line.')
  .transform((input, context) => {
    const read = parseSamplePosts([input ?? ''].flat().join('\n'));
    if ('urls' in read) return read.urls;
    context.addIssue({ code: 'custom', message: read.problem });
    return z.NEVER;
  });

const maxRules = 2_000;
const rules = z
  .string()
  .trim()
  .max(maxRules, 'Use at most 2,000 characters.')
  .nullable()
  .transform((text) => (text ?? '').replace(/\r\n?/g, '\n'));

/** Buyers read the rules, and contact sellers only through the marketplace. */
export const contactInRules = 'Remove email addresses, phone numbers and links to profiles: buyers read this text.';

const facts = {
  niche: textWithDefault('General').optional(),
  postType: textWithDefault('Guest posts').optional(),
  country: textWithDefault('USA').transform(toCountryName).optional(),
  language: textWithDefault('English').transform(toLanguageName).optional(),
  followType: choiceWithDefault(followTypes, 'DoFollow').optional(),
  dr: score.optional(),
  da: score.optional(),
  traffic: amount(1_000_000_000_000).optional(),
  spam: score.optional(),
  tat: turnaround.optional(),
  samplePosts: samplePosts.optional(),
  rules: rules.optional(),
};

export const rejectionReasonField = z.enum(rejectionReasons, 'Choose a reason.');
export const rejectionNoteField = z.string().trim().max(1_000, 'Use at most 1,000 characters.');

/** The fields of a site as an admin sends them, including legacy aliases. Absent fields keep their value. */
const adminFields = {
  ...facts,
  as: score.optional(),
  keywords: count.optional(),
  keywords_count: count.optional(),
  ref_domains: count.optional(),
  words: amount(100_000).optional(),
  price: price.optional(),
  adminPrice: price.optional(),
  admin_price: price.optional(),
  publicPrice: price.optional(),
  public_price: price.optional(),
  publicCurrency: choiceWithDefault(currencies, 'USD').optional(),
  public_currency: choiceWithDefault(currencies, 'USD').optional(),
  status: choiceWithDefault(siteStatuses, 'Pending').optional(),
  /** Only for the status Rejected, which also removes both when it changes. */
  rejectionReason: z.preprocess((input) => (isBlank(input) ? null : input), rejectionReasonField.nullable()).optional(),
  rejectionNote: rejectionNoteField
    .nullable()
    .transform((text) => text ?? '')
    .optional(),
  /** Whether staff fulfill the orders of the site instead of its owner. */
  isFulfilledByStaff: z
    .union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')], 'Use true or false.')
    .optional(),
  /** The owner. */
  userId: z.string().trim().max(64).nullable().optional(),
};

const createFields = z.object({ url, name: nameField('Enter a name.', 200), ...adminFields });
const updateFields = createFields.partial().extend({
  /** The version the edit is based on; a stale version is rejected. */
  version: z.coerce.number().int().min(1).optional(),
});

/** Maps the fields to the table's columns; prices in minor units. */
function toColumns(body: Omit<z.output<typeof updateFields>, 'version' | 'url' | 'name'>) {
  const { as, keywords, keywords_count, ref_domains, words, price, userId, ...others } = body;
  const { adminPrice, admin_price, publicPrice, public_price, publicCurrency, public_currency, ...same } = others;
  return {
    ...same,
    authorityScore: as,
    keywordsCount: keywords === undefined ? keywords_count : keywords,
    refDomains: ref_domains,
    words: words === null ? 600 : words,
    sellerPriceCents: price,
    adminPriceCents: adminPrice === undefined ? admin_price : adminPrice,
    publicPriceCents: publicPrice === undefined ? public_price : publicPrice,
    publicCurrency: publicCurrency ?? public_currency,
    ownerId: userId || undefined,
  };
}

/** POST /api/guest-posts. */
export const createSiteBody = createFields.transform(({ url, name, ...body }) => ({ url, name, ...toColumns(body) }));
export type CreateSiteInput = z.output<typeof createSiteBody>;

/** PUT /api/guest-posts/{id}. */
export const updateSiteBody = updateFields.transform(({ url, name, version, ...body }) => ({
  version,
  changes: { url, name, ...toColumns(body) },
}));
export type UpdateSiteInput = z.output<typeof updateSiteBody>;
export type SiteChanges = UpdateSiteInput['changes'];

/** POST /api/seller/sites: only the fields that a seller may set. */
export const ownSiteBody = z
  .object({
    ...facts,
    url,
    rules: rules.optional().refine((text) => !hasContactData(text ?? ''), contactInRules),
    name: nameField('Enter a name.', 200),
    country: nameField('Enter a country.', 100).transform(toCountryName),
    niche: nameField('Enter a niche.', 100),
    price: price
      .optional()
      .refine((cents) => cents !== null && cents !== undefined, 'Enter your price.')
      .transform((cents) => cents ?? null),
  })
  .transform(({ price, ...body }) => ({ ...body, sellerPriceCents: price }));
export type OwnSiteInput = z.output<typeof ownSiteBody>;

/** Returns the fields that a seller may set, and no others. */
export function pickOwnFields(input: OwnSiteInput) {
  const { url, name, niche, postType, country, language, followType, dr, da, traffic, spam, tat } = input;
  const { sellerPriceCents, samplePosts, rules } = input;
  const facts = { url, name, niche, postType, country, language, followType, dr, da, traffic, spam, tat };
  return { ...facts, sellerPriceCents, samplePosts, rules };
}

const siteId = idTextField();
export const siteIdParams = z.object({ id: siteId });

/** An edit of a seller's own site, with every field of `ownSiteBody`. */
export const editOwnSiteInput = z.object({
  id: siteId,
  version: versionField,
  body: ownSiteBody,
});
