import type { Executor } from '@/db/client';
import { apiTokens } from '@/db/schema/api-tokens';
import { hashTokenSecret, newTokenSecret } from '@/lib/auth/api-token-secret';
import { newId } from '@/lib/ids';
import { daysBefore } from './days';
import type { People } from './people';

/**
 * Seeds an API token of the demo's buyer. Its secret is random and kept nowhere: the demo shows it, and no program can
 * use it.
 */
export async function seedTokens(tx: Executor, { buyer }: People, now: Date): Promise<void> {
  const secret = newTokenSecret();
  await tx.insert(apiTokens).values({
    id: newId(),
    userId: buyer.id,
    accountId: buyer.id,
    name: 'Monthly link report',
    secretHash: hashTokenSecret(secret),
    lastFour: secret.slice(-4),
    scopes: ['read'],
    createdAt: daysBefore(now, 40),
    expiresAt: daysBefore(now, -325),
  });
}
