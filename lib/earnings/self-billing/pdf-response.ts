import type { NextResponse } from 'next/server';
import { streamResponse } from '@/lib/platform/http/stream-response';
import { generateBillPdf } from './pdf';
import { getStatement } from './queries';
import { statementNumber } from './schemas';

/**
 * Sends a self-billed statement as a PDF.
 * @param sellerId undefined for staff
 * @throws AppError not_found, also for the statement of another seller; rate_limited when too many lists are being sent
 */
export async function respondWithBill<T>(
  caller: { userId: string; requestId: string },
  id: string,
  sellerId?: string,
): Promise<NextResponse<T>> {
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
