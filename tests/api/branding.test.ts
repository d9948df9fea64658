import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { readLogo, storeLogo } from '@/lib/settings/branding/logo';
import { pngOf } from '@/tests/factories/picture-of';
import { appUrl } from '@/tests/setup/http-client';

const logoAt = (id: string) => fetch(`${appUrl}/api/branding/logo/${id}`);

describe('/api/branding/logo', () => {
  it('serves a logo publicly, immutable and without scripts', async () => {
    const picture = pngOf();
    const logo = await readLogo(new File([new Uint8Array(picture)], 'logo.svg', { type: 'image/svg+xml' }));
    await storeLogo(db(), logo);
    const answer = await logoAt(logo.id);
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(picture);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': expect.stringMatching(/^default-src 'none';.*; sandbox$/),
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
  });

  it('returns 404 for an unknown logo', async () => {
    expect((await logoAt('0'.repeat(64))).status).toBe(404);
    expect((await logoAt('logo.png')).status).toBe(400);
  });
});
