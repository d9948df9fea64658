import { db } from '@/db/client';
import type { AccountRole } from '@/db/enums';
import { orderRequestLines, orderRequests } from '@/db/schema/order-requests';
import type { sites } from '@/db/schema/sites';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import type { BriefInput } from '@/lib/orders/briefs/schemas';
import { fundWallet } from './fund-wallet';
import { makeAccount } from './make-account';
import { makeProject } from './make-project';
import { makeSite } from './make-site';
import { joinTeam, makeTeamOf } from './make-team';
import { makeUser } from './make-user';

export type Agency = { id: string; name: string; owner: Actor; projectId: string };

/** Creates a team with money in its wallet, an owner and a project. */
export async function makeAgency(fundsCents: number, name = 'Agency of tests'): Promise<Agency> {
  const { accountId: id, owner } = await makeTeamOf(await makeAccount(), { name });
  const projectId = await makeProject(owner);
  if (fundsCents > 0) await fundWallet(id, fundsCents);
  return { id, name, owner, projectId };
}

/** Creates a user who can sign in and is a member of a team, as the actor in it. */
export async function joinAgency(
  { id: accountId, name: accountName }: Pick<Agency, 'id' | 'name'>,
  role: AccountRole,
  projectIds: string[] | null = null,
): Promise<Actor> {
  return joinTeam(await makeAccount(), { accountId, accountName }, role, { projectIds });
}

export type MadeRequest = { id: string; siteIds: number[]; lineIds: string[] };

/** Creates an open request of a member for new sites at prices in USD cents, as an order above a limit does. */
export async function makeRequest(
  agency: Pick<Agency, 'id' | 'projectId'>,
  requester: Actor,
  prices: readonly number[],
  { brief, site }: { brief?: BriefInput; site?: Partial<typeof sites.$inferInsert> } = {},
): Promise<MadeRequest> {
  const seller = await makeUser('Seller');
  const siteIds: number[] = [];
  for (const cents of prices) siteIds.push(await makeSite(seller.userId, cents, site));
  const id = newId();
  const lines = siteIds.map((siteId, position) => ({
    ...{ id: newId(), requestId: id, siteId, position, cents: prices[position] ?? 0 },
  }));
  await db()
    .insert(orderRequests)
    .values({
      id,
      accountId: agency.id,
      projectId: agency.projectId,
      requestedBy: requester.userId,
      body: { kind: 'custom', projectId: agency.projectId, siteIds, ...(brief && { brief }) },
      totalCents: prices.reduce((sum, cents) => sum + cents, 0),
      reasons: [{ code: 'approval_above', limitCents: 4_242 }],
      expiresAt: new Date(Date.now() + 14 * 86_400_000),
    });
  await db().insert(orderRequestLines).values(lines);
  return { id, siteIds, lineIds: lines.map((line) => line.id) };
}
