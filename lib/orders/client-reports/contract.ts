import { z } from 'zod';
import { reportPrices } from '@/db/schema/client-reports';
import { dayMs } from '@/lib/platform/durations';
import { nameField, optionalNameField } from '@/lib/platform/http/fields';
import { checkPrimaryColor } from '@/lib/settings/branding/colors';
import { maxLogoCharacters } from './logo';

const wrongDay = 'Use a day as YYYY-MM-DD.';
const dayField = z.iso
  .date(wrongDay)
  .refine((day) => day >= '2000-01-01' && day <= '2100-12-31', 'Use a day from 2000 to 2100.');

const wrongEnd = 'Use a day as YYYY-MM-DD, or a time in ISO 8601.';

const percentMessage = 'Use a whole percentage from 1 to 1,000.';
const fixedMessage = 'Use an amount from $0.01 to $100,000.00.';

const maxPasswordLength = 128;

const brand = z.object({
  name: nameField('Enter the name on the report.', 80),
  color: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, { error: 'Enter a color as # and six digits, e.g. #2563eb.', abort: true })
    .superRefine((hex, context) => {
      const complaint = checkPrimaryColor(hex);
      if (complaint) context.addIssue({ code: 'custom', message: complaint });
    })
    .describe('#rrggbb. Text on it and links in it must be readable in both themes.'),
  logo: z
    .string()
    .max(maxLogoCharacters + 100, 'The logo is too large.')
    .nullable()
    .optional()
    .describe('A PNG or JPEG in base64; null for none. Without the field, the logo of your last report is used.'),
});

/** What clients see of prices. `checkPrices` checks the numbers. */
export const priceFields = {
  prices: z
    .enum(reportPrices, 'Choose none, markup or fixed.')
    .describe('`markup`: what you paid and a percentage, which clients do not see. `fixed`: one amount a link.'),
  markupPercent: z.int(percentMessage).min(1, percentMessage).max(1_000, percentMessage).optional(),
  fixedCents: z.int(fixedMessage).min(1, fixedMessage).max(10_000_000, fixedMessage).optional().describe('USD cents.'),
};

const optionFields = { ...priceFields, brand };

const passwordField = z
  .string()
  .min(8, 'Use at least 8 characters.')
  .max(maxPasswordLength, `Use at most ${maxPasswordLength} characters.`);

type Prices = { prices?: string | undefined; markupPercent?: number | undefined; fixedCents?: number | undefined };

/** Requires the number that belongs to the prices, and no other. */
export function checkPrices(
  { prices, markupPercent, fixedCents }: Prices,
  context: z.core.$RefinementCtx<Prices>,
): void {
  const refuse = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
  if (prices === 'markup' && markupPercent === undefined) refuse('markupPercent', percentMessage);
  if (prices === 'fixed' && fixedCents === undefined) refuse('fixedCents', fixedMessage);
  if (prices !== 'markup' && markupPercent !== undefined) refuse('markupPercent', 'Only with the prices markup.');
  if (prices !== 'fixed' && fixedCents !== undefined) refuse('fixedCents', 'Only with the prices fixed.');
}

/** The body of POST /api/user/projects/{id}/reports. */
export const createReportBody = z
  .object({
    from: dayField.describe('The first day of the period, in UTC.'),
    to: dayField.describe('The last day of the period, in UTC.'),
    ...optionFields,
    password: passwordField.optional().describe('Readers must enter it.'),
    expiresAt: z
      .union(
        [
          z.iso.datetime({ offset: true, error: wrongEnd }),
          z.iso.date(wrongEnd).transform((day) => `${day}T23:59:59Z`),
        ],
        wrongEnd,
      )
      .refine((at) => Date.parse(at) > Date.now(), 'Choose a time in the future.')
      .refine((at) => Date.parse(at) < Date.now() + 3_660 * dayMs, 'Choose a time within ten years.')
      .optional()
      .describe('When the report ends: a time, or a day in UTC, at its end.'),
  })
  .superRefine(({ from, to }, context) => {
    if (from > to) context.addIssue({ code: 'custom', path: ['to'], message: 'The period ends before it begins.' });
  })
  .superRefine(checkPrices);
export type CreateReportInput = z.output<typeof createReportBody>;

export const reportIdParams = z.object({
  id: z.string().min(1).max(64),
  reportId: z.string().min(1).max(64).describe('The id of a client report.'),
});

const maxRecipients = 10;

/** The monthly mail of a project. */
export const saveReportMailInput = z
  .object({
    projectId: z.string().min(1).max(64),
    recipients: z
      .array(z.email('Enter email addresses, separated by commas.').max(254))
      .min(1, 'Enter at least one email address.')
      .max(maxRecipients, `Enter at most ${maxRecipients} email addresses.`)
      .transform((addresses) => [...new Set(addresses.map((address) => address.toLowerCase()))]),
    ...optionFields,
    /** Omitted, the password stays; null removes it. */
    password: passwordField.nullable().optional(),
  })
  .superRefine(checkPrices);
export type SaveReportMailInput = z.output<typeof saveReportMailInput>;

export const stopReportMailInput = z.object({ projectId: z.string().min(1).max(64) });

export const saveReportNoteInput = z.object({
  orderId: z.int().min(1).max(2_147_483_647),
  reference: optionalNameField(100, undefined, 'Enter a reference.'),
  note: optionalNameField(500, undefined, 'Enter a note.'),
});

/** A report as its owner sees it. */
export const reportResponse = z
  .object({
    id: z.string(),
    url: z
      .string()
      .describe('The public address. It opens the report without signing in, unless the report has a password.'),
    from: z.iso.date(),
    to: z.iso.date(),
    prices: z.enum(reportPrices),
    markupPercent: z.int().nullable(),
    fixedCents: z.int().nullable(),
    hasPassword: z.boolean(),
    expiresAt: z.iso.datetime().nullable(),
    brand: z.object({ name: z.string(), color: z.string(), hasLogo: z.boolean() }),
    state: z.enum(['open', 'expired', 'revoked']),
    createdAt: z.iso.datetime(),
    revokedAt: z.iso.datetime().nullable(),
  })
  .meta({ title: 'ClientReport' });
export type ReportView = z.output<typeof reportResponse>;

export const createdReportResponse = z.object({ id: z.string(), url: z.string() });

/** The size of a request with a logo. */
export const maxReportBytes = maxLogoCharacters + 10_000;
