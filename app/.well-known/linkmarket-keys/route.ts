import { NextResponse } from 'next/server';
import { z } from 'zod';
import { route } from '@/lib/auth/route';
import { listPublishedKeys, publishedKey } from '@/lib/links/passport/keys';

export const GET = route(
  {
    access: 'public',
    summary: 'Returns the public keys of link passports as a JSON Web Key Set (RFC 7517, RFC 8037).',
    description: 'A key with `exp` was replaced: it did not sign checks after this time.',
    response: z.object({ keys: z.array(publishedKey) }),
    responseHeaders: { 'Cache-Control': 'Caches may keep the keys for five minutes.' },
  },
  async () =>
    NextResponse.json({ keys: await listPublishedKeys() }, { headers: { 'Cache-Control': 'public, max-age=300' } }),
);
