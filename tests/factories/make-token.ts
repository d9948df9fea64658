import { db } from '@/db/client';
import { apiTokens } from '@/db/schema/api-tokens';
import type { TokenScope } from '@/lib/access/token-scopes';
import { hashTokenSecret, newTokenSecret } from '@/lib/auth/api-token-secret';
import { newId } from '@/lib/ids';

type MadeToken = { id: string; secret: string; headers: { authorization: string } };

/** Creates an API token. @returns it with the headers that authenticate its requests */
export async function makeToken(
  userId: string,
  scopes: readonly TokenScope[],
  values: Partial<typeof apiTokens.$inferInsert> = {},
): Promise<MadeToken> {
  const [id, secret] = [newId(), newTokenSecret()];
  await db()
    .insert(apiTokens)
    .values({
      id,
      userId,
      accountId: userId,
      name: 'Reports',
      secretHash: hashTokenSecret(secret),
      lastFour: secret.slice(-4),
      scopes: [...scopes],
      ...values,
    });
  return { id, secret, headers: { authorization: `Bearer ${secret}` } };
}
