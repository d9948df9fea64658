import { isValidBIC, ValidationErrorsIBAN, validateIBAN } from 'ibantools';
import { z } from 'zod';
import { normalizeLine } from '@/lib/network/visible-text';

/** Countries whose IBANs need no BIC: in the European Economic Area a bank derives it from the IBAN. */
export const economicArea = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' '),
);

/** Removes spaces and hyphens, as people write bank codes. */
export const withoutSeparators = (text: string) => text.replace(/[\s-]/g, '').toUpperCase();
const onOneLine = (text: string) => normalizeLine(text.replace(/\s+/g, ' '));

/** Parses a text of one line that has letters or digits, so that something remains in the characters of banks. */
export const bankLineField = (max: number, missing: string) =>
  z
    .string({ error: missing })
    .transform(onOneLine)
    .pipe(
      z
        .string()
        .max(max, `Use at most ${max} characters.`)
        .refine((text) => /[\p{L}\p{N}]/u.test(text), missing),
    );

/** An IBAN, without spaces. */
export const ibanField = z
  .string({ error: 'Enter the IBAN.' })
  .transform(withoutSeparators)
  .superRefine((text, context) => {
    const { valid, errorCodes } = validateIBAN(text, { allowQRIBAN: false });
    if (valid) return;
    const isQrIban = errorCodes.length === 1 && errorCodes[0] === ValidationErrorsIBAN.QRIBANNotAllowed;
    context.addIssue({
      code: 'custom',
      message: isQrIban
        ? 'This is a QR-IBAN, which accepts only QR-bills. Enter the IBAN of the account itself.'
        : 'This IBAN is not valid. Check the digits.',
    });
  });

/** A BIC of 8 or 11 characters. */
export const bicField = z
  .string({ error: 'Enter the BIC.' })
  .transform(withoutSeparators)
  .refine((text) => isValidBIC(text), 'This BIC is not valid. It has 8 or 11 characters.');

/** A US routing number. */
export const routingNumberField = z
  .string({ error: 'Enter the routing number.' })
  .transform(withoutSeparators)
  .refine(isRoutingNumber, 'This routing number is not valid. Check its nine digits.');

/** An account number beside a routing number. */
export const accountNumberField = z
  .string({ error: 'Enter the account number.' })
  .transform(withoutSeparators)
  .pipe(z.string().regex(/^[0-9A-Z]{4,17}$/, 'Enter an account number of 4 to 17 digits or letters.'));

/**
 * Checks an ABA routing number: nine digits in the ranges of the Federal Reserve's districts (01–12), thrift
 * institutions (21–32) and electronic transactions (61–72), with the weighted checksum 3-7-1.
 */
function isRoutingNumber(text: string): boolean {
  if (!/^(0[1-9]|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2])\d{7}$/.test(text)) return false;
  const weights = [3, 7, 1];
  const sum = [...text].reduce((total, digit, at) => total + Number(digit) * (weights[at % 3] ?? 0), 0);
  return sum % 10 === 0;
}
