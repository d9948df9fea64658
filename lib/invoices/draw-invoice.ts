import type { TaxLine } from '@/db/schema/invoices';
import { formatUsd, groupDigits, toDecimalString } from '@/lib/money';
import type { PdfColumn, PdfWriter } from '@/lib/platform/pdf/document';
import { formatTaxRate } from '@/lib/tax/amounts';
import { formatAddress } from '@/lib/tax/format-address';
import { describeAccountingRate, describeTaxLine, formatAccountingTax } from './format-tax';
import type { DocumentCode, InvoiceLine, InvoiceModel, InvoiceParty } from './model';
import { listIds } from './parties';

/** What a document shows beside its model. */
export type InvoiceExtras = {
  /** Labels with their values, below the date. */
  facts?: readonly (readonly [label: string, value: string])[];
  notes?: readonly string[];
};

const titles: Record<DocumentCode, string> = {
  '380': 'Invoice',
  '381': 'Credit note',
  '389': 'Self-billed statement',
};

/** Returns the title of a document: "Invoice INV-2026-000012". */
export const invoiceTitle = ({ code, number }: Pick<InvoiceModel, 'code' | 'number'>): string =>
  `${titles[code]} ${number}`;

/** Formats a price that need not be whole cents: "$33.3333". */
function formatUnitPrice({ netCents, quantity }: InvoiceLine): string {
  if (netCents % quantity === 0) return formatUsd(netCents / quantity);
  const micros = Math.round((netCents / quantity) * 100);
  return `$${groupDigits(toDecimalString(micros, 4))}`;
}

const columns: readonly PdfColumn<InvoiceLine>[] = [
  { header: 'Quantity', share: 15, cell: ({ quantity }) => String(quantity) },
  { header: 'Unit price without tax', share: 34, align: 'right', cell: formatUnitPrice },
  { header: 'Tax rate', share: 15, align: 'right', cell: ({ tax }) => formatTaxRate(tax.rate) },
  { header: 'Net', share: 24, align: 'right', cell: ({ netCents }) => formatUsd(netCents) },
];
const described: readonly PdfColumn<InvoiceLine>[] = [
  { header: 'Description', share: 82, cell: ({ title }) => title },
  ...columns,
];
const taxColumns: readonly PdfColumn<TaxLine>[] = [
  { header: 'Tax', share: 55, cell: describeTaxLine },
  { header: 'Net', share: 22, align: 'right', cell: ({ netCents }) => formatUsd(netCents) },
  { header: 'Tax amount', share: 23, align: 'right', cell: ({ taxCents }) => formatUsd(taxCents) },
];

/**
 * Draws an invoice, credit note or self-billed statement with what Article 226 of Directive 2006/112/EC asks. The VAT ids
 * of both parties are shown in every category.
 */
export async function* drawInvoice(
  pdf: PdfWriter,
  model: InvoiceModel,
  { facts = [], notes = [] }: InvoiceExtras = {},
): AsyncGenerator<void> {
  const { code, lines, taxes, accountingTax } = model;
  const isCredit = code === '381';
  pdf.title(invoiceTitle(model));
  pdf.fact('Issued on', model.issuedOn);
  pdf.fact(isCredit ? 'Refunded on' : code === '389' ? 'Supplied until' : 'Supplied and paid on', model.suppliedOn);
  for (const { number, issuedOn } of model.preceding) pdf.fact('For invoice', `${number} of ${issuedOn}`);
  if (model.orderNumber) pdf.fact('Order', `#${model.orderNumber}`);
  if (model.buyerReference) pdf.fact('Your reference', model.buyerReference);
  for (const [label, value] of facts) pdf.fact(label, value);
  pdf.space(10);
  drawParty(pdf, 'Supplier', model.seller);
  pdf.space(6);
  drawParty(pdf, code === '389' ? 'Customer, who issues this statement' : 'Customer', model.buyer);
  pdf.space(10);
  if (lines.some(({ details }) => details.length > 0)) {
    const supplied = new Map(lines.map((line) => [[line.title, ...line.details].join('\n'), line]));
    for (const { title, details } of supplied.values()) {
      pdf.paragraph(title);
      for (const detail of details) pdf.note(detail);
    }
    pdf.space(4);
    yield* pdf.table(columns, [lines]);
  } else yield* pdf.table(described, [lines]);
  pdf.space(6);
  yield* pdf.table(taxColumns, [taxes]);
  pdf.space(6);
  pdf.fact('Net', formatUsd(model.netCents));
  pdf.fact('Tax', formatUsd(model.taxCents));
  pdf.fact(totalLabels[code], formatUsd(model.totalCents));
  if (accountingTax) {
    pdf.fact(`Tax in ${accountingTax.currency}`, formatAccountingTax(accountingTax));
    pdf.note(describeAccountingRate(accountingTax));
  }
  pdf.space(8);
  for (const text of new Set([...taxes.map((tax) => tax.text), ...model.notes])) if (text) pdf.paragraph(text);
  for (const text of [...notes, 'Amounts in USD. Dates are in UTC.']) pdf.note(text);
  yield;
}

const totalLabels: Record<DocumentCode, string> = {
  '380': 'Total, paid from the wallet',
  '381': 'Total, returned to the wallet',
  '389': 'Total, credited to the balance',
};

/** Draws the name, address and numbers of a party. */
export function drawParty(pdf: PdfWriter, label: string, party: InvoiceParty): void {
  pdf.note(label);
  const { name, contact, email } = party;
  const person = contact.name === name ? '' : contact.name;
  const lines = [name, person, formatAddress(party), ...listIds(party), email].filter(Boolean);
  pdf.paragraph(lines.join('\n'), { country: party.country });
}
