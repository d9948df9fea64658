import type { InferSelectModel } from 'drizzle-orm';
import type { receipts } from '@/db/schema/invoices';
import { formatMoney, formatUsd } from '@/lib/money';
import type { PdfWriter } from '@/lib/platform/pdf/document';
import { drawParty } from './draw-invoice';
import { formatRate } from './format-tax';
import { receiptNumber } from './numbers';
import { buyerParty, operatorParty } from './parties';

export type ReceiptRow = InferSelectModel<typeof receipts>;

/** Returns the title of a receipt. */
export const receiptTitle = (row: Pick<ReceiptRow, 'year' | 'number'>): string => `Receipt ${receiptNumber(row)}`;

/** Draws the receipt of money that a buyer paid in. */
export async function* drawReceipt(pdf: PdfWriter, row: ReceiptRow): AsyncGenerator<void> {
  pdf.title(receiptTitle(row));
  pdf.fact('Issued on', row.issuedAt.toISOString().slice(0, 10));
  pdf.fact('Received on', row.movedAt.toISOString().slice(0, 10));
  pdf.fact('Paid by', row.method);
  pdf.space(10);
  drawParty(pdf, 'Received by', operatorParty(row.seller));
  pdf.space(6);
  drawParty(pdf, 'Received from', buyerParty(row.buyer));
  pdf.space(10);
  pdf.fact('Paid', formatMoney(row.paidMinor, row.paidCurrency));
  if (row.usdMicrosPerUnit !== null) pdf.fact('Exchange rate', formatRate(row.paidCurrency, row.usdMicrosPerUnit));
  pdf.fact('Credited to the wallet', formatUsd(row.amountCents));
  pdf.space(8);
  pdf.note(
    'This is a receipt, not an invoice. An invoice is issued for each order that the wallet pays. Dates are in UTC.',
  );
  yield;
}
