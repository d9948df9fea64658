import { route } from '@/lib/auth/route';
import { referenceParams } from '@/lib/payments/bank-transfers/contract';
import { respondWithProForma } from '@/lib/payments/bank-transfers/pro-forma';
import { pdfFile } from '@/lib/platform/pdf/document';

/** Sends the pro forma of a request; `.pdf` may follow the reference. */
export const GET = route(
  {
    access: 'account:wallet',
    summary: 'Returns the pro forma of a top-up by bank transfer as a PDF.',
    response: pdfFile,
    params: referenceParams,
    errors: ['not_found', 'rate_limited'],
  },
  ({ actor, params }) => respondWithProForma(actor, params.reference),
);
