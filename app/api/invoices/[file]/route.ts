import { route } from '@/lib/auth/route';
import { documentParams } from '@/lib/invoices/contract';
import { respondWithDocument } from '@/lib/invoices/respond-with-document';

export const GET = route(
  {
    access: 'session',
    summary: 'Returns an invoice, credit note, receipt or self-billed statement as a file.',
    description:
      'The buyer of a document or the seller of a statement reads it, and staff: invoices and credit notes with ManageOrders, receipts with ManageWallets, statements with ManagePayouts. An API token needs that permission among its scopes, or `read` for documents of its owner. A receipt is a PDF only. The XML formats answer 409 with the missing `fields` if the billing details of a party were incomplete at the issue.',
    response: { mediaTypes: ['application/pdf', 'application/xml'] },
    params: documentParams,
    errors: ['not_found', 'billing_incomplete', 'rate_limited'],
  },
  ({ actor, params }) => respondWithDocument(actor, params.file),
);
