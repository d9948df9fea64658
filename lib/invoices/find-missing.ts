import { AppError } from '@/lib/errors';
import { sellerIdentifier, shownTaxNumber, shownVatId } from './formats/terms';
import type { InvoiceModel } from './model';

/**
 * Finds what a document lacks for the structured formats of EN 16931: the names and countries of both parties (BR-6 to
 * BR-11), what identifies the supplier (BR-S-02, BR-E-02, BR-AE-02, BR-CO-26), a line (BR-16), one side of the scope of VAT
 * (BR-O-11), and one VAT id of each party where the tax depends on it. Documents keep the details of their issue: one with
 * a gap stays without these formats.
 * @returns a message by field, empty if nothing is missing
 */
export function findMissing(model: InvoiceModel): Record<string, string> {
  const { seller, buyer, taxes, code, preceding } = model;
  const has = (wanted: string) => taxes.some(({ category }) => category === wanted);
  const [supplier, customer] = code === '389' ? ['The seller', 'The operator'] : ['The operator', 'The buyer'];
  const [vatId, taxNumber] = [shownVatId(model, seller), shownTaxNumber(seller)];
  const missing: Record<string, string> = {};
  const require = (field: string, value: string, message: string) => {
    if (value === '') missing[field] = message;
  };
  require('seller.name', seller.name, `${supplier} had no legal name.`);
  require('seller.country', seller.country, `${supplier} had no address with a country.`);
  require('buyer.name', buyer.name, `${customer} had no name.`);
  require('buyer.country', buyer.country, `${customer} had no address with a country.`);
  if (model.totalCents === 0) missing.lines = 'It bills no placement, only fees.';
  if (has('O') && taxes.some(({ category }) => category !== 'O')) {
    missing.taxes = 'It corrects invoices inside and outside the scope of VAT.';
    return missing;
  }
  const isOfOthers = preceding.some(
    ({ sellerVatId, buyerVatId }) => sellerVatId !== seller.vatId || (has('AE') && buyerVatId !== buyer.vatId),
  );
  if (isOfOthers) missing.preceding = 'It corrects invoices with different VAT ids.';
  const isRated = has('S') || has('Z') || has('E');
  if (isRated) require('seller.vatId', vatId || taxNumber, `${supplier} had no VAT id or tax number.`);
  require('seller.registration', vatId ||
    seller.registration ||
    sellerIdentifier(
      model,
    ), `${supplier} had no number in a register, no tax number apart from a VAT id, and no email address.`);
  if (has('AE')) {
    require('seller.vatId', vatId, `${supplier} had no VAT id, which reverse charge requires.`);
    require('buyer.vatId', shownVatId(model, buyer), `${customer} had no VAT id, which reverse charge requires.`);
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
    `This document cannot be written in this format: ${messages.join(' ')} Download the PDF.`,
    { fields },
  );
}
