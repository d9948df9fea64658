import { z } from 'zod';
import { versionField } from '@/lib/platform/http/fields';
import { logoTooLarge, maxLogoBytes } from './branding';
import { checkPrimaryColor, checkSecondaryColor } from './colors';

/** Control characters, direction marks and other invisible characters. */
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/u;
/** Zero-width joiners inside a word, as used in Persian, Indic scripts and emoji sequences. */
const joiners = /(?<=[\p{L}\p{M}\p{ExtPict}\p{EMod}])[\u200C\u200D](?=[\p{L}\p{ExtPict}])/gu;
const isVisible = (text: string) => !invisible.test(text.replace(joiners, ''));
const line = (name: string, max: number) =>
  z
    .string()
    .trim()
    .max(max, `${name} can have at most ${max} characters.`)
    .refine(isVisible, `${name} contains invisible characters.`);

/** A text of several lines, without empty ones. */
const linesField = (name: string, { max, lines }: { max: number; lines: number }) =>
  z
    .string()
    .max(max, `${name} can have at most ${max} characters.`)
    .transform((text) =>
      text
        .split(/\r\n|\r|\n/)
        .map((part) => part.trim())
        .filter(Boolean)
        .join('\n'),
    )
    .refine((text) => text.split('\n').length <= lines, `${name} can have at most ${lines} lines.`)
    .refine((text) => isVisible(text.replaceAll('\n', '')), `${name} contains invisible characters.`);

const color = (complaintOf: (hex: string) => string | undefined) =>
  z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, 'Enter a color as # and six digits, e.g. #5547e0.')
    .superRefine((hex, context) => {
      if (!/^#[0-9a-f]{6}$/.test(hex)) return;
      const complaint = complaintOf(hex);
      if (complaint) context.addIssue({ code: 'custom', message: complaint });
    });

export const saveBrandingInput = z.object({
  version: versionField,
  siteName: line('The name', 40).min(1, 'Enter a name.'),
  tagline: line('The tagline', 80),
  primaryColor: color(checkPrimaryColor),
  secondaryColor: color(checkSecondaryColor),
  supportEmail: z.union([z.literal(''), z.email('Enter an email address, or leave it empty.').max(254)]),
  postalAddress: linesField('The address', { max: 400, lines: 8 }),
  signInClaims: linesField('The list of claims', { max: 240, lines: 4 }),
  /** A new logo; null removes it; omitted, it stays. */
  logo: z.file().max(maxLogoBytes, logoTooLarge).nullable().optional(),
});
export type SaveBrandingInput = z.output<typeof saveBrandingInput>;

export const resetBrandingInput = saveBrandingInput.pick({ version: true });
