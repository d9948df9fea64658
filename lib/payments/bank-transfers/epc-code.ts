import { toDecimalString } from '@/lib/money';

type EpcTransfer = { name: string; iban: string; bic: string; amountCents: number; reference: string };

/** The limits of the guideline, in EUR cents. */
const amounts = { min: 1, max: 99_999_999_999 } as const;
const maxName = 70;
/** The largest content of a QR code of version 13 with error correction M. */
const maxBytes = 331;

/**
 * Builds the content of the QR code that starts a SEPA credit transfer in banking apps: EPC069-12, version 002, UTF-8.
 * The reference is the unstructured remittance information, which all apps show.
 * @returns null for a transfer that the guideline does not allow, such as one without an IBAN
 */
export function buildEpcCode({ name, iban, bic, amountCents, reference }: EpcTransfer): string | null {
  const holder = [...name.replace(/\s+/g, ' ').trim()].slice(0, maxName).join('');
  if (iban === '' || holder === '' || amountCents < amounts.min || amountCents > amounts.max) return null;
  const lines = ['BCD', '002', '1', 'SCT', bic, holder, iban, `EUR${toDecimalString(amountCents)}`, '', '', reference];
  const content = lines.join('\n');
  return Buffer.byteLength(content) > maxBytes ? null : content;
}
