import { Readable } from 'node:stream';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { userAvatars } from '@/db/schema/user-avatars';
import { createAvatarResponse, findAvatarHash, maxAvatarBytes, removeAvatar, setAvatar } from '@/lib/users/avatar';
import { makeUser } from '@/tests/factories/make-user';
import { settle } from '@/tests/setup/settle';

const canvas = (width = 300, height = 200) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 40, b: 40 } } });
const stream = (bytes: Buffer) => Readable.from([bytes.subarray(0, 100), bytes.subarray(100)]);

describe('an avatar', () => {
  it.each(['png', 'jpeg', 'webp'] as const)('of type %s becomes a small square WebP without metadata', async (kind) => {
    const actor = await makeUser('Admin');
    const secret = 'GPS 52.5200 N <script>alert(1)</script>';
    const image = canvas().withExif({ IFD0: { Copyright: secret } });
    const upload = Buffer.concat([await image.toFormat(kind).toBuffer(), Buffer.from(secret)]);
    const hash = await setAvatar(actor, stream(upload));
    const answer = await createAvatarResponse(actor.userId, null);
    const kept = Buffer.from(await answer.arrayBuffer());
    expect(await sharp(kept).metadata()).toMatchObject({ format: 'webp', width: 128, height: 128 });
    expect(kept.includes(secret)).toBe(false);
    expect((await sharp(kept).metadata()).exif).toBeUndefined();
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
    });
    expect((await createAvatarResponse(actor.userId, `"${hash}"`)).status).toBe(304);
  });

  it('rejects SVG, HTML, fake image headers, empty, broken and too large files', async () => {
    const actor = await makeUser('Admin');
    const png = await canvas().png().toBuffer();
    const gif = await canvas(10, 10).gif().toBuffer();
    const refused = [
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      Buffer.from('<!doctype html><script>alert(1)</script>'),
      Buffer.concat([png.subarray(0, 8), Buffer.from('no picture follows')]),
      png.subarray(0, png.length / 2),
      Buffer.alloc(0),
      gif,
    ];
    const { codes } = await settle(refused.map((bytes) => setAvatar(actor, stream(bytes))));
    expect(codes).toEqual(refused.map(() => 'unsupported_type'));
    const large = setAvatar(actor, stream(Buffer.concat([png, Buffer.alloc(maxAvatarBytes)])));
    await expect(large).rejects.toMatchObject({ code: 'too_large' });
    // A few kilobytes that would decode to 240 MB.
    const bomb = await canvas(9_000, 9_000).png({ compressionLevel: 9 }).toBuffer();
    expect(bomb.length).toBeLessThan(maxAvatarBytes);
    await expect(setAvatar(actor, stream(bomb))).rejects.toMatchObject({
      code: expect.stringMatching(/too_large|unsupported/),
    });
    expect(await findAvatarHash(actor.userId)).toBeNull();
  });

  it('is one per user, the last of concurrent uploads, and can be removed', async () => {
    const actor = await makeUser('Admin');
    const uploads = await Promise.all([50, 100, 150].map((side) => canvas(side, side).png().toBuffer()));
    await Promise.all(uploads.map((bytes) => setAvatar(actor, stream(bytes))));
    expect(await db().select().from(userAvatars).where(eq(userAvatars.userId, actor.userId))).toHaveLength(1);
    await removeAvatar(actor);
    await removeAvatar(actor);
    await expect(createAvatarResponse(actor.userId, null)).rejects.toMatchObject({ code: 'not_found' });
  });
});
