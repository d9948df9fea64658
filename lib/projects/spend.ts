import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '../../db/client';

const answer = z
  .object({ paid: z.coerce.number(), returned: z.coerce.number(), unlisted: z.coerce.number() })
  .transform(({ paid, returned, unlisted }) => ({
    spentCents: paid - returned,
    refundedCents: returned,
    unlistedCents: unlisted,
  }));

/** USD cents. `spentCents` is net of `refundedCents`; `unlistedCents` of it paid for orders that were deleted since. */
export type ProjectSpend = z.output<typeof answer>;

/** What the books say a project has cost its owner, deleted orders included: their money moved as well. */
export async function getProjectSpend(projectId: string): Promise<ProjectSpend> {
  // Counted from the buyer's side, the wallet, which is the side of a transfer that has a version.
  const rows = await db().execute(sql`
    with own as (
      select t.id, t.amount_cents, t.from_version is not null as is_debit, o.deleted_at is not null as is_deleted
      from public.orders o join ledger.transfers t on t.order_id = o.id
      where o.project_id = ${projectId}
    ),
    moved as (
      select amount_cents, is_debit, is_deleted from own
      union all
      select undone.amount_cents, undone.from_version is not null, own.is_deleted
      from own join ledger.transfers undone on undone.reverses_id = own.id and undone.order_id is null
    )
    select
      coalesce(sum(amount_cents) filter (where is_debit), 0) as paid,
      coalesce(sum(amount_cents) filter (where not is_debit), 0) as returned,
      coalesce(sum(case when is_debit then amount_cents else -amount_cents end) filter (where is_deleted), 0) as unlisted
    from moved`);
  return answer.parse(rows[0]);
}
