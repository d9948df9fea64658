import { AppError } from '@/lib/errors';
import type { InvoiceModel } from './model';

/**
 * Finds what a document lacks for the structured formats of EN 16931: the names and countries of both parties (BR-6 to
 * BR-11), and the numbers that its categories of tax require (BR-S-02, BR-E-02, BR-AE-02, BR-AE-03, BR-CO-26). Documents
 * keep the details of their issue, so that one with a gap stays without these formats.
 * @returns a message by field, empty if nothing is missing
 */
export function findMissing({ seller, buyer, taxes, code }: InvoiceModel): Record<string, string> {
  const isReverse = taxes.some(({ category }) => category === 'AE');
  const [supplier, customer] = code === '389' ? ['The seller', 'The operator'] : ['The operator', 'The buyer'];
  const missing: Record<string, string> = {};
  const require = (field: string, value: string, message: string) => {
    if (value === '') missing[field] = message;
  };
  require('seller.name', seller.name, `${supplier} had no legal name.`);
  require('seller.country', seller.country, `${supplier} had no address with a country.`);
  require('seller.vatId', seller.vatId ||
    seller.taxNumber ||
    seller.registration, `${supplier} had no VAT id, tax number or registration.`);
  require('buyer.name', buyer.name, `${customer} had no name.`);
  require('buyer.country', buyer.country, `${customer} had no address with a country.`);
  if (isReverse) {
    require('seller.vatId', seller.vatId, `${supplier} had no VAT id, which reverse charge requires.`);
    require('buyer.vatId', buyer.vatId, `${customer} had no VAT id, which reverse charge requires.`);
  }
  return missing;
}

/** Requires that a document has all that the structured formats need. @throws AppError billing_incomplete with the fields */
export function requireComplete(model: InvoiceModel): void {
  const fields = findMissing(model);
  const messages = Object.values(fields);
  if (messages.length === 0) return;
  throw new AppError(
    'billing_incomplete',
    `This document was issued without details that this format needs: ${messages.join(' ')} Download the PDF.`,
    { fields },
  );
}
