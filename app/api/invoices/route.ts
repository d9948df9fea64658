import { z } from 'zod';
import { route } from '@/lib/auth/route';
import { documentResponse, documentsQuery } from '@/lib/invoices/contract';
import { documentView, listDocuments } from '@/lib/invoices/list-documents';
import { cursorHeaders, pageResponse } from '@/lib/platform/http/list-response';

export const GET = route(
  {
    access: 'account:documents',
    summary: "Lists the caller's invoices, credit notes and receipts, newest first.",
    description:
      'A document is issued a few seconds after its payment. Amounts are in USD cents; those of a credit note were returned to the wallet.',
    response: z.array(documentResponse),
    responseHeaders: cursorHeaders,
    query: documentsQuery,
  },
  async ({ actor, query }) => pageResponse(await listDocuments(actor, query), documentView),
);
