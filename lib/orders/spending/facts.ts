import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { transfers } from '@/db/schema/ledger';

/** Whose spending is counted: all orders of an account, or those of a member, of a project, or of both. */
export type SpendScope = { accountId: string; memberId?: string | undefined; projectId?: string | undefined };

/**
 * Counts what an account spent in the current calendar month (UTC) on the orders of a member, of a project, or all: what
 * the wallet was charged with tax, less what returned, order by order and never below zero, so that the refund of an earlier month's charge frees nothing.
 * @returns USD cents
 */
export async function getSpentThisMonth(scope: SpendScope, on: Executor = db()): Promise<number> {
  const { accountId, memberId = null, projectId = null } = scope;
  throw new Error(`${accountId}${memberId}${projectId}${on}${sql}${z}${transfers}`);
}
