import { z } from 'zod';
import { findOptionalActor } from '@/lib/auth/authenticate-token';
import { route } from '@/lib/auth/route';

/** Public, with more for staff. The response depends on the caller, so that no cache may store it. */
export const GET = route(
  {
    access: 'public',
    summary: 'Returns this document: what the caller may use.',
    description:
      'Everyone gets what buyers and sellers may call; staff get in addition what their permissions admit. An unknown session or token gets what everyone gets.',
    errors: ['rate_limited', 'not_configured'],
    response: z.looseObject({ openapi: z.literal('3.1.0') }),
  },
  async ({ request }) => {
    // Imported on a call, because the list of paths has this route.
    const { documentFor } = await import('./document');
    return documentFor(await findOptionalActor(request));
  },
);
