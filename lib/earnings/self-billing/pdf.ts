import type { sellerStatementLines } from '@/db/schema/seller-statements';
import { formatUsd } from '@/lib/money';
import { streamResponse } from '@/lib/platform/http/stream-response';
import { generatePdf, type PdfColumn } from '@/lib/platform/pdf/document';
import { statementNumber } from './contract';
import { getStatement, type SellerStatement } from './queries';

type Line = typeof sellerStatementLines.$inferSelect;

const columns: PdfColumn<Line>[] = [
  { header: 'Order', share: 15, cell: ({ orderId }) => `#${orderId}` },
  { header: 'Placement on', share: 60, cell: ({ website }) => website.replace(/^https?:\/\//i, '') },
  { header: 'Amount', share: 25, align: 'right', cell: ({ amountCents }) => formatUsd(amountCents) },
];

function generateBillPdf(statement: SellerStatement, lines: readonly Line[]): AsyncGenerator<Uint8Array> {
  const name = statementNumber(statement);
  const { legalName, address, taxId, country, operatorName, operatorAddress, month, issuedAt } = statement;
  return generatePdf({ title: `Self-billed statement ${name}`, footer: name }, async function* (pdf) {
    pdf.title(`Self-billed statement ${name}`);
    pdf.fact('Month', month);
    pdf.fact('Issued on', issuedAt.toISOString().slice(0, 10));
    pdf.space(10);
    pdf.note('Supplier');
    pdf.paragraph([legalName, address, country, taxId && `Tax ID ${taxId}`].filter(Boolean).join('\n'));
    pdf.space(6);
    pdf.note('Customer, who issues this statement');
    pdf.paragraph([operatorName, operatorAddress].filter(Boolean).join('\n'));
    pdf.space(10);
    yield* pdf.table(columns, [lines]);
    pdf.space(8);
    pdf.fact(`Placements: ${statement.placementCount}. Total`, formatUsd(statement.billedCents));
    pdf.fact('Fees of payouts, charged separately', formatUsd(statement.feeCents));
    pdf.space(8);
    pdf.note(
      `For information: ${formatUsd(statement.earnedCents)} was earned with approvals in this month and ${formatUsd(statement.returnedCents)} returned to buyers. Placements are billed when their amounts become payable. Amounts in USD.`,
    );
  });
}

/**
 * Sends a self-billed statement as a PDF.
 * @param sellerId undefined for staff
 * @throws AppError not_found, also for the statement of another seller; rate_limited when too many lists are being sent
 */
export async function respondWithBill<T>(caller: { userId: string; requestId: string }, id: string, sellerId?: string) {
  const { statement, lines } = await getStatement(id, sellerId);
  return streamResponse<T>(caller, async () => ({
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `attachment; filename="${statementNumber(statement)}.pdf"`,
      'X-Content-Type-Options': 'nosniff',
    },
    pieces: generateBillPdf(statement, lines),
  }));
}
