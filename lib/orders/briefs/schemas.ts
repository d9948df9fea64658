import { z } from 'zod';
import { linkRels } from '@/db/enums';
import type { orders } from '@/db/schema/orders';
import { briefWriters, type orderBriefs } from '@/db/schema/placements';
import { AppError } from '@/lib/errors';
import { normalizeLine } from '@/lib/network/visible-text';
import { isPublicHost, parseWebAddress } from '@/lib/network/web-address';
import { versionField } from '@/lib/platform/http/fields';
import { hasContactData } from '@/lib/sites/contact-data';
import { maxAnchorLength, maxDaysAhead, wordsRange } from './limits';

const maxNotesLength = 5_000;
/** The maximum URL length supported by all browsers and crawlers. */
const maxUrlLength = 2_048;
/** The maximum size of a brief as JSON: six bytes for each character of its texts, as `\u20ac`, and its other fields. */
export const maxBriefBytes = 6 * (maxUrlLength + maxAnchorLength + maxNotesLength) + 1_000;
const urlMessage = 'Enter a web address, e.g. https://example.com/page.';
const wordsMessage = `Enter ${wordsRange.min} to ${wordsRange.max.toLocaleString('en-US')} words.`;

/** '' is the project's target URL. A URL without a scheme gets https. */
const targetUrl = z.string(urlMessage).transform((typed, context) => {
  const parsed = typed.trim() === '' ? null : parseWebAddress(typed);
  if (typed.trim() === '') return '';
  if (parsed && isPublicHost(parsed.url.hostname) && parsed.address.length <= maxUrlLength) return parsed.address;
  const isTooLong = typed.length > maxUrlLength;
  const message = isTooLong ? `Use at most ${maxUrlLength.toLocaleString('en-US')} characters.` : urlMessage;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

/** A live link; '' removes it. */
export const linkUrlField = z.string().transform((typed, context) => {
  if (typed.trim() === '') return '';
  const parsed = parseWebAddress(typed);
  const isHost = parsed && (parsed.hasScheme || parsed.url.hostname.includes('.'));
  if (isHost && parsed.address.length <= maxUrlLength) return parsed.address;
  context.addIssue({ code: 'custom', message: 'Enter a web address, e.g. https://example.com/article.' });
  return z.NEVER;
});

const briefShape = {
  targetUrl: targetUrl.optional().describe("The page that the link leads to. Default: the project's target URL."),
  anchor: z
    .string('Enter the anchor text.')
    .overwrite(normalizeLine)
    .max(maxAnchorLength, `Use at most ${maxAnchorLength} characters.`)
    .refine((text) => !/\p{Cc}/u.test(text), 'Enter the anchor text on one line.')
    .optional()
    .describe('The text of the link. Default: empty, the publisher chooses it.'),
  writer: z
    .enum(briefWriters, { error: `Choose one of ${briefWriters.join(', ')}.` })
    .optional()
    .describe('Who writes the article. Default: buyer with an article, otherwise seller.'),
  words: z
    .int(wordsMessage)
    .min(wordsRange.min, wordsMessage)
    .max(wordsRange.max, wordsMessage)
    .nullable()
    .optional()
    .describe("The number of words. Default: null, the site's usual number."),
  notes: z
    .string('Enter a text.')
    .trim()
    .max(maxNotesLength, `Use at most ${maxNotesLength.toLocaleString('en-US')} characters.`)
    .optional(),
  notBefore: z.iso
    .date('Enter a date as YYYY-MM-DD.')
    .nullable()
    .optional()
    .describe(`The earliest day of publication, in UTC: at most ${maxDaysAhead} days ahead. Default: null, any day.`),
  rel: z
    .enum(linkRels, { error: `Choose one of ${linkRels.join(', ')}.` })
    .optional()
    .describe('The rel attribute of the link. Default: any.'),
  articleId: z
    .string('Upload the article first.')
    .min(1, 'Upload the article first.')
    .max(64, 'Upload the article first.')
    .nullable()
    .optional()
    .describe('The id of an article that the caller uploaded. Only for an article that the buyer writes.'),
};

const optionMessage = 'Choose options of the site by their ids.';

/** The options of the listing, which the order keeps: a later change of the brief does not change them. */
const optionsField = z
  .array(z.string(optionMessage).min(1, optionMessage).max(64, optionMessage), optionMessage)
  .max(50, 'Choose at most 50 options.')
  .optional()
  .describe(
    'The ids of `options` of the site: at most one guarantee, one mention and one article, and each topic once. In `brief`, the options of several sites; each site takes its own.',
  );

/** A brief as the buyer sends it. Absent fields have defaults. */
const briefField = z.object({ ...briefShape, options: optionsField }, 'Enter the brief as an object.');
export type BriefInput = z.output<typeof briefField>;

/** The body of PUT /api/orders/{id}/brief: the whole brief, except that an absent `articleId` keeps the article. */
export const saveBriefBody = z.object({
  ...briefShape,
  version: versionField
    .optional()
    .describe('The version of the brief that the edit is based on; 0 for an order without a brief.'),
});
export type SaveBriefInput = z.output<typeof saveBriefBody>;

/** The fields of POST /api/orders. `requireValidBriefs` checks the days, and the fields that depend on each other. */
export const orderBriefFields = {
  brief: briefField.optional().describe('The brief of all orders of the request.'),
  briefs: z
    .record(z.string(), briefField, 'Enter the briefs as an object with the ids of the sites as keys.')
    .optional()
    .describe('Exceptions by site id. An exception replaces the fields of `brief` that it has.'),
};

/** The briefs of a request: one for all its orders, and exceptions by site id. */
export type OrderBriefs = { brief?: BriefInput | undefined; briefs?: Record<string, BriefInput> | undefined };

/**
 * Checks the briefs of POST /api/orders.
 * @param siteIds the sites of the order; none for a package
 * @throws AppError invalid_input with a message for each field, e.g. `brief.anchor` or `briefs.12.anchor`
 */
export function requireValidBriefs(
  { brief = {}, briefs = {} }: OrderBriefs,
  siteIds: readonly number[],
  today = currentDay(),
): void {
  const fields = checkBrief(brief, 'brief.', today);
  for (const [key, exception] of Object.entries(briefs)) {
    if (siteIds.some((id) => String(id) === key)) Object.assign(fields, checkBrief(exception, `briefs.${key}.`, today));
    else fields[`briefs.${key}`] = `Site #${key} is not part of this order.`;
  }
  requireNoErrors(fields);
}

/**
 * Checks the rules between the fields of a brief, and the day of publication.
 * @param keptDay the day that the stored brief has; it is accepted also when it has passed
 * @throws AppError invalid_input
 */
export function requireValidBrief(brief: BriefInput, keptDay: string | null): void {
  requireNoErrors(checkBrief(brief, '', brief.notBefore === keptDay ? '' : currentDay()));
}

/** Checks a brief. @param today the first accepted day as YYYY-MM-DD; '' accepts every day */
function checkBrief(
  { notBefore, writer, articleId }: BriefInput,
  prefix: string,
  today: string,
): Record<string, string> {
  return {
    ...(notBefore && notBefore < today && { [`${prefix}notBefore`]: 'Choose today or a later day.' }),
    ...(notBefore &&
      today !== '' &&
      notBefore > addDaysTo(today, maxDaysAhead) && {
        [`${prefix}notBefore`]: `Choose a day within the next ${maxDaysAhead} days.`,
      }),
    ...(articleId &&
      writer === 'seller' && { [`${prefix}articleId`]: 'Attach an article only if the buyer writes it.' }),
  };
}

/**
 * Reads a brief whose fields may be invalid, e.g. one that is still being written.
 * @returns the brief, or the messages of its fields
 */
export function readBrief(input: unknown): { brief: BriefInput } | { errors: Record<string, string> } {
  const parsed = briefField.safeParse(input);
  const errors = parsed.success
    ? checkBrief(parsed.data, '', currentDay())
    : Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path.join('.'), message]));
  return parsed.success && Object.keys(errors).length === 0 ? { brief: parsed.data } : { errors };
}

function requireNoErrors(fields: Record<string, string>): void {
  const [message] = Object.values(fields);
  if (message !== undefined) throw new AppError('invalid_input', message, { fields });
}

/** Returns the current day in UTC as YYYY-MM-DD. */
const currentDay = () => new Date().toISOString().slice(0, 10);

/** Adds days to a day. @param day as YYYY-MM-DD */
const addDaysTo = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/** A brief with all fields, as it is stored. */
export type Brief = Required<{ [Field in keyof StoredBrief]: Exclude<StoredBrief[Field], undefined> }>;
type StoredBrief = Omit<BriefInput, 'options'>;

/**
 * Combines the common brief and the exception of a site. The exception replaces the fields that it has; fields that
 * neither has get their defaults. A brief with an article and without a writer is written by the buyer, and an article
 * does not apply to a brief that the seller writes.
 * @param projectTargetUrl the default of the target URL
 */
export function resolveBrief(projectTargetUrl: string, common: BriefInput = {}, exception: BriefInput = {}): Brief {
  const { targetUrl, articleId, options: _, ...fields } = { ...inferWriter(common), ...inferWriter(exception) };
  const brief = { anchor: '', writer: 'seller' as const, words: null, notes: '', notBefore: null, rel: 'any' as const };
  const merged = { ...brief, ...fields };
  return {
    ...merged,
    targetUrl: targetUrl || projectTargetUrl,
    articleId: merged.writer === 'buyer' ? (articleId ?? null) : null,
  };
}

/** Sets the writer of a brief with an article, and removes undefined fields. */
function inferWriter(brief: BriefInput): BriefInput {
  const fields = Object.fromEntries(Object.entries(brief).filter(([, value]) => value !== undefined));
  return brief.articleId && !brief.writer ? { ...fields, writer: 'buyer' } : fields;
}

/** Checks whether the words of a brief contain contact data. The addresses of the order are none. */
export const hasContactNotes = (
  { website, projectTargetUrl }: Pick<typeof orders.$inferSelect, 'website' | 'projectTargetUrl'>,
  { anchor, notes, targetUrl }: Pick<typeof orderBriefs.$inferSelect, 'anchor' | 'notes' | 'targetUrl'>,
): boolean => hasContactData(`${anchor}\n${notes}`, [website, projectTargetUrl, targetUrl]);
