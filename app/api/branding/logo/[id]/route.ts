import { z } from 'zod';
import { route } from '@/lib/auth/route';
import { logoId } from '@/lib/settings/branding/get-branding';
import { findLogo } from '@/lib/settings/branding/logo';

const params = z.object({ id: logoId });

/** A logo for pages and mails. What an address names never changes, so whoever has it need not ask again. */
export const GET = route(
  {
    access: 'public',
    summary: "The marketplace's logo.",
    answer: { mediaTypes: ['image/png', 'image/jpeg', 'image/webp'] },
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
        // Mail programs and other origins show it as well.
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'Cache-Control': 'public, max-age=31536000, immutable',
      },
    });
  },
);
