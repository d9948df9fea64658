import { z } from 'zod';
import { rejectionReasons } from '@/db/enums';
import { followTypes, siteStatuses } from '@/db/schema/sites';
import { type Currency, currencies } from '@/lib/money';
import { idTextField, lineField, nameField, versionField } from '@/lib/platform/http/fields';
import { parseField, parsePrice } from '@/lib/platform/parse-number';
import { findCountry } from '@/lib/taxonomy/find-country';
import { toLanguageName } from '@/lib/taxonomy/find-language';
import { hasContactData } from './contact-data';
import {
  findFollowType,
  otherCurrencyMessage,
  parseSamplePosts,
  parseSiteUrl,
  parseTurnaround,
  turnaroundMessage,
} from './field-values';
import { type SiteFigure, siteFigures } from './figures';

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

export const turnaroundField = z
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

/** Builds the field of a figure: a number, or its text in the notations of a file; blank is null (unknown). */
const figure = (name: SiteFigure) => {
  const field = siteFigures[name];
  return z
    .union([z.number(), z.string().max(100), z.null()], `Enter ${field.label} in digits.`)
    .transform((input, context) => {
      if (input === null || isBlank(input)) return null;
      const { decimal, reason } = parseField(
        String(input),
        typeof input === 'number' ? { ...field, kind: 'score' } : field,
      );
      if (reason === undefined) return field.kind === 'count' ? Math.round(Number(decimal)) : Number(decimal);
      context.addIssue({ code: 'custom', message: reason });
      return z.NEVER;
    });
};

const followType = z.preprocess(
  (input) => (typeof input === 'string' ? (findFollowType(input) ?? input) : input),
  choiceWithDefault(followTypes, 'DoFollow'),
);

type Price = { cents: number; currency: Currency | null };

/** An amount in major units, or its text in the notations of a file, converted to minor units; blank is null. */
const price = z
  .union([z.number(), z.string().max(100), z.null()], 'Enter an amount, e.g. 120.')
  .transform((input, context): Price | null => {
    if (input === null || isBlank(input)) return null;
    const read = parsePrice(String(input), typeof input === 'number' ? 'point' : 'typed');
    if ('cents' in read) return read;
    context.addIssue({ code: 'custom', message: read.reason });
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
  followType: followType.optional(),
  dr: figure('dr').optional(),
  da: figure('da').optional(),
  traffic: figure('traffic').optional(),
  spam: figure('spam').optional(),
  tat: turnaroundField.optional(),
  samplePosts: samplePosts.optional(),
  rules: rules.optional(),
};

export const rejectionReasonField = z.enum(rejectionReasons, 'Choose a reason.');
export const rejectionNoteField = z.string().trim().max(1_000, 'Use at most 1,000 characters.');

/** The fields of a site as an admin sends them, including legacy aliases. Absent fields keep their value. */
const adminFields = {
  ...facts,
  as: figure('authorityScore').optional(),
  keywords: figure('keywordsCount').optional(),
  keywords_count: figure('keywordsCount').optional(),
  ref_domains: figure('refDomains').optional(),
  words: figure('words').optional(),
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

type AdminBody = Omit<z.output<typeof updateFields>, 'version' | 'url' | 'name'>;

/** Refuses a price that names another currency than the body does. @param absent the currency where it names none */
function requireCurrency(body: AdminBody, context: z.RefinementCtx, absent?: Currency): void {
  const currency = body.publicCurrency ?? body.public_currency ?? absent;
  for (const name of ['price', 'adminPrice', 'admin_price', 'publicPrice', 'public_price'] as const) {
    const named = body[name]?.currency;
    if (!named || named === currency) continue;
    const message = currency ? otherCurrencyMessage(named, currency) : 'Enter the amount without its currency.';
    context.addIssue({ code: 'custom', path: [name], message });
  }
}

/** Maps the fields to the table's columns; prices in minor units. */
function toColumns(body: AdminBody) {
  const { as, keywords, keywords_count, ref_domains, words, price, userId, ...others } = body;
  const { adminPrice, admin_price, publicPrice, public_price, publicCurrency, public_currency, ...same } = others;
  const centsOf = (given: Price | null | undefined) => (given === null ? null : given?.cents);
  return {
    ...same,
    authorityScore: as,
    keywordsCount: keywords === undefined ? keywords_count : keywords,
    refDomains: ref_domains,
    words: words === null ? 600 : words,
    sellerPriceCents: centsOf(price),
    adminPriceCents: centsOf(adminPrice === undefined ? admin_price : adminPrice),
    publicPriceCents: centsOf(publicPrice === undefined ? public_price : publicPrice),
    publicCurrency: publicCurrency ?? public_currency,
    ownerId: userId || undefined,
  };
}

/** POST /api/guest-posts. */
export const createSiteBody = createFields.transform(({ url, name, ...body }, context) => {
  requireCurrency(body, context, 'USD');
  return { url, name, ...toColumns(body) };
});
export type CreateSiteInput = z.output<typeof createSiteBody>;

/** PUT /api/guest-posts/{id}. */
export const updateSiteBody = updateFields.transform(({ url, name, version, ...body }, context) => {
  requireCurrency(body, context);
  return { version, changes: { url, name, ...toColumns(body) } };
});
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
    price: price.optional().transform((given, context) => {
      if (given) return given;
      context.addIssue({ code: 'custom', message: 'Enter your price.' });
      return z.NEVER;
    }),
  })
  .transform(({ price, ...body }) => ({ ...body, sellerPriceCents: price.cents, pricedIn: price.currency }));
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
