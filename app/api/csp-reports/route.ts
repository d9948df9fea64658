import { route } from '@/lib/auth/route';
import { AppError } from '@/lib/errors';
import { readJson } from '@/lib/platform/http/parse';
import { logCspReports } from '@/lib/platform/log/csp-reports';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';

const maxBodyBytes = 16 * 1024;

/** Current media types, and the one that older WebKit versions send. */
const mediaTypes = ['application/csp-report', 'application/reports+json', 'application/json'];

export const POST = route(
  {
    access: 'public',
    // Chromium sends reports with cookies and without an Origin.
    ignoresSession: true,
    summary: "Writes a browser's report of a Content-Security-Policy violation to the server log.",
    description: `A body of at most 16 kB with one of these media types: ${mediaTypes.join(', ')}.`,
    response: { mediaTypes: [] },
    status: 204,
    errors: ['invalid_input', 'forbidden', 'too_large', 'unsupported_type', 'rate_limited'],
  },
  async ({ request, ip, requestId }) => {
    const [mediaType = ''] = (request.headers.get('content-type') ?? '').split(';');
    if (!mediaTypes.includes(mediaType.trim().toLowerCase())) {
      throw new AppError('unsupported_type', `Send a report as ${mediaTypes.join(', ')}.`);
    }
    await consumeLimit('cspReports', { account: 'installation', address: ip });
    logCspReports(await readJson(request, maxBodyBytes), requestId);
    return new Response(null, { status: 204 });
  },
);
