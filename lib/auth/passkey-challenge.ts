import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { type ChallengePurpose, passkeyChallenges } from '../../db/schema/passkeys';
import { env } from '../env';

/** How long a person may take at the browser's prompt. */
export const challengeSeconds = 5 * 60;

const hashOf = (challenge: Uint8Array) => createHash('sha256').update(challenge).digest('hex');

/** The relying party, as browsers compare it: the host of APP_URL, and its whole origin. */
export function relyingParty(): { rpID: string; expectedOrigin: string } {
  const { hostname, origin } = new URL(env().APP_URL);
  return { rpID: hostname, expectedOrigin: origin };
}

/**
 * Makes a challenge for one purpose and person. Only its hash is stored; those past their time are deleted.
 * @param userId null where the passkey itself says who signs in
 */
export async function createChallenge(
  purpose: ChallengePurpose,
  userId: string | null,
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = new Uint8Array(randomBytes(32));
  await db().delete(passkeyChallenges).where(lt(passkeyChallenges.expiresAt, sql`now()`));
  await db()
    .insert(passkeyChallenges)
    .values({
      id: hashOf(challenge),
      purpose,
      userId,
      expiresAt: sql`now() + make_interval(secs => ${challengeSeconds})`,
    });
  return challenge;
}

/**
 * Uses a challenge up, whether or not its answer turns out to be right. Of several at once only one succeeds.
 * @param challenge base64url, as the browser returned it
 * @returns false when it is unknown, used, expired or was made for another purpose or person
 */
export async function consumeChallenge(
  purpose: ChallengePurpose,
  userId: string | null,
  challenge: string,
): Promise<boolean> {
  const used = await db()
    .delete(passkeyChallenges)
    .where(
      and(
        eq(passkeyChallenges.id, hashOf(new Uint8Array(Buffer.from(challenge, 'base64url')))),
        eq(passkeyChallenges.purpose, purpose),
        userId === null ? isNull(passkeyChallenges.userId) : eq(passkeyChallenges.userId, userId),
        gt(passkeyChallenges.expiresAt, sql`now()`),
      ),
    )
    .returning({ id: passkeyChallenges.id });
  return used.length === 1;
}
