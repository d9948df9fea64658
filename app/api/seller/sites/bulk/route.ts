import { route } from '@/lib/auth/route';
import { changeOwnSites } from '@/lib/sites/own-bulk/change';
import { ownBulkBody, ownBulkResponse } from '@/lib/sites/own-bulk/schemas';

export const POST = route(
  {
    access: 'seller',
    summary: "Changes, pauses, resumes or removes up to 10,000 of the seller's sites in one transaction.",
    description:
      'A new turnaround, language or niche returns a site to review. So does a new price, unless a rule of the marketplace moves the public price at once. A pause hides sites from buyers; running orders go on. Send `preview` of a dry run to save exactly what it showed.',
    response: ownBulkResponse,
    errors: ['conflict', 'unprocessable'],
    body: ownBulkBody,
  },
  ({ actor, body }) => changeOwnSites(actor, body),
);
