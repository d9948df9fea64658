import { route } from '@/lib/auth/route';
import { statementIdParams } from '@/lib/earnings/self-billing/contract';
import { respondWithBill } from '@/lib/earnings/self-billing/pdf';
import { pdfFile } from '@/lib/platform/pdf/document';

/** Sends a self-billed statement of any seller as a PDF. */
export const GET = route(
  {
    access: 'ManagePayouts',
    summary: 'Returns a self-billed statement of a seller as a PDF.',
    response: pdfFile,
    query: statementIdParams,
    errors: ['not_found', 'rate_limited'],
  },
  ({ actor, query }) => respondWithBill(actor, query.id),
);
