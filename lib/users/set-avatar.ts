import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { db } from '../../db/client';
import { userAvatars } from '../../db/schema/user-avatars';
import { recordAudit } from '../audit/record';
import type { Actor } from '../auth/actor';
import { AppError } from '../errors';
import { avatarImage, maxAvatarBytes } from './avatar-image';

/**
 * Keeps an uploaded picture as the actor's own, in place of an earlier one.
 * @returns the hash of what is kept
 * @throws AppError too_large, unsupported_type
 */
export async function setAvatar(actor: Actor, upload: Readable): Promise<string> {
  const image = await avatarImage(await readUpload(upload));
  const hash = createHash('sha256').update(image).digest('hex');
  await db().transaction(async (tx) => {
    await tx
      .insert(userAvatars)
      .values({ userId: actor.userId, image, hash })
      .onConflictDoUpdate({ target: userAvatars.userId, set: { image, hash, updatedAt: new Date() } });
    await recordAudit(tx, actor, {
      action: 'user.picture_changed',
      details: `${actor.email} has a new picture.`,
      entityType: 'user',
      entityId: actor.userId,
    });
  });
  return hash;
}

async function readUpload(upload: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of upload) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > maxAvatarBytes) throw new AppError('too_large', 'The picture is larger than 1 MB. Make it smaller.');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
