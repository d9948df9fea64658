import { lastDayOf, statementNumber } from '@/lib/earnings/self-billing/contract';
import type { SellerStatement, StatementLine } from '@/lib/earnings/self-billing/queries';
import { findVatId } from '@/lib/earnings/self-billing/seller-tax';
import { formatUsd } from '@/lib/money';
import { computeReturnedTaxCents } from '@/lib/tax/amounts';
import type { InvoiceExtras } from './draw-invoice';
import { findMissing } from './find-missing';
import type { InvoiceModel, InvoiceParty } from './model';
import { operatorParty } from './parties';

/** Fills the model of a self-billed statement: the seller supplies, and the operator is the buyer. */
export function toSelfBilledModel(statement: SellerStatement, lines: readonly StatementLine[]): InvoiceModel {
  const { month, billedCents, taxCents, taxes, operator, accountingTax } = statement;
  const issuedOn = statement.issuedAt.toISOString().slice(0, 10);
  const [tax = { rate: 0, category: 'E' as const }] = taxes;
  return {
    ...{ code: '389', number: statementNumber(statement), issuedOn, suppliedOn: lastDayOf(month) },
    ...{ buyerReference: '', orderNumber: '', preceding: [], notes: ['Self-billing'] },
    seller: sellerParty(statement),
    buyer: operatorParty(operator),
    lines: splitLines(lines, { billedCents, taxCents }).map(({ orderId, website, netCents }) => ({
      // The PDF cuts a long line off at its end.
      title: `Order #${orderId}, placement on ${website.replace(/^https?:\/\//i, '')}`,
      ...{ details: [], quantity: 1, netCents, tax: { rate: tax.rate, category: tax.category } },
    })),
    ...{ taxes, netCents: billedCents - taxCents, taxCents, totalCents: billedCents, paidCents: billedCents },
    accountingTax,
  };
}

/** Returns what a self-billed statement shows beside its model. */
export function selfBilledExtras(statement: SellerStatement): InvoiceExtras {
  return {
    facts: [
      ['Month', statement.month],
      ['Placements', String(statement.placementCount)],
      ['Fees of payouts, charged separately', formatUsd(statement.feeCents)],
    ],
    notes: [
      `For information: ${formatUsd(statement.earnedCents)} was earned with approvals in this month and ${formatUsd(statement.returnedCents)} returned to buyers. Placements are billed when their amounts become payable.`,
    ],
  };
}

function sellerParty(statement: SellerStatement): InvoiceParty {
  const { legalName, address, taxId, country } = statement;
  const vatId = findVatId(statement);
  return {
    ...{ name: legalName, street: address, postcode: '', city: '', region: '', country },
    ...{ vatId: vatId ?? '', taxNumber: vatId ? '' : taxId },
    ...{ registration: '', contact: { name: '', phone: '', email: '' }, email: '' },
  };
}

/** Splits lines with their tax into net amounts that add up to that of the statement. */
function splitLines(lines: readonly StatementLine[], total: { billedCents: number; taxCents: number }) {
  const before = { netCents: 0, taxCents: 0 };
  return lines.map(({ amountCents, ...line }) => {
    const whole = { netCents: total.billedCents, taxCents: total.taxCents };
    const taxCents = computeReturnedTaxCents(whole, before, amountCents);
    before.netCents += amountCents;
    before.taxCents += taxCents;
    return { ...line, netCents: amountCents - taxCents };
  });
}

/** Returns a self-billed statement for a list. Amounts in USD cents. */
export const statementRow = (row: SellerStatement & { sellerEmail: string }) => ({
  id: row.id,
  name: statementNumber(row),
  month: row.month,
  sellerName: row.legalName,
  sellerEmail: row.sellerEmail,
  billedCents: row.billedCents,
  feeCents: row.feeCents,
  placementCount: row.placementCount,
  hasStructuredFormats: Object.keys(findMissing(toSelfBilledModel(row, []))).length === 0,
});

export type StatementRow = ReturnType<typeof statementRow>;
