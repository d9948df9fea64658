import { route } from '@/lib/auth/route';
import { monthlyStatementQuery } from '@/lib/earnings/statement';
import { generateStatementPdf } from '@/lib/earnings/statement-formats';
import { streamResponse } from '@/lib/platform/http/stream-response';
import { pdfFile } from '@/lib/platform/pdf/document';
import { getBranding } from '@/lib/settings/branding/get-branding';

/** Streams the statement of a month as a PDF. */
export const GET = route(
  {
    access: 'seller',
    summary: 'Returns the statement of a month as a PDF.',
    response: pdfFile,
    query: monthlyStatementQuery,
    errors: ['rate_limited'],
  },
  async ({ actor, query }) => {
    const { siteName } = await getBranding();
    const parties = { sellerId: actor.userId, sellerName: actor.name, sellerEmail: actor.email, siteName };
    return streamResponse(actor, async ({ on }) => ({
      headers: {
        'Content-Type': 'application/pdf',
        'Content-Disposition': `attachment; filename="statement-${query.month}-${query.account}.pdf"`,
        'X-Content-Type-Options': 'nosniff',
      },
      pieces: generateStatementPdf(parties, query, on),
    }));
  },
);
