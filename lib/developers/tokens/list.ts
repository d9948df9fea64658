import { and, desc, eq, isNull } from 'drizzle-orm';
import { db } from '@/db/client';
import { apiTokens } from '@/db/schema/api-tokens';
import type { Actor } from '@/lib/access/actor';
import { spentTodayCents } from '@/lib/auth/spend-by-token';
import type { TokenView } from './schemas';

/** The columns of a token that its owner sees. */
export const tokenColumns = {
  id: apiTokens.id,
  name: apiTokens.name,
  scopes: apiTokens.scopes,
  lastFour: apiTokens.lastFour,
  allowedIps: apiTokens.allowedIps,
  dailyLimitCents: apiTokens.dailyLimitCents,
  spentTodayCents: spentTodayCents.mapWith(Number),
  createdAt: apiTokens.createdAt,
  expiresAt: apiTokens.expiresAt,
  lastUsedAt: apiTokens.lastUsedAt,
  lastUsedIp: apiTokens.lastUsedIp,
};

type TokenRow = Omit<TokenView, 'createdAt' | 'expiresAt' | 'lastUsedAt'> & {
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
};

export const tokenView = ({ createdAt, expiresAt, lastUsedAt, ...token }: TokenRow): TokenView => ({
  ...token,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt?.toISOString() ?? null,
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});

/** Lists the API tokens of a user that are not revoked, the newest first; also expired ones. */
export async function listTokens({ userId }: Pick<Actor, 'userId'>): Promise<TokenView[]> {
  const rows = await db()
    .select(tokenColumns)
    .from(apiTokens)
    .where(and(eq(apiTokens.userId, userId), isNull(apiTokens.revokedAt)))
    .orderBy(desc(apiTokens.createdAt), desc(apiTokens.id));
  return rows.map(tokenView);
}
