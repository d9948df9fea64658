import { z } from 'zod';
import { route } from '@/lib/auth/route';
import { logoId } from '@/lib/settings/branding/get-branding';
import { findLogo } from '@/lib/settings/branding/logo';

const params = z.object({ id: logoId });

/** A logo for pages and mails. The content of a URL never changes, so it is cached permanently. */
export const GET = route(
  {
    access: 'public',
    summary: "Returns the marketplace's logo.",
    response: { mediaTypes: ['image/png', 'image/jpeg', 'image/webp'] },
    errors: ['not_found'],
    params,
  },
  async ({ params: { id } }) => {
    const { mediaType, bytes } = await findLogo(id);
    return new Response(bytes, {
      headers: {
        'Content-Type': mediaType,
        'Content-Disposition': 'inline',
        'X-Content-Type-Options': 'nosniff',
        // Mail clients and other origins embed it.
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'Cache-Control': 'public, max-age=31536000, immutable',
      },
    });
  },
);
