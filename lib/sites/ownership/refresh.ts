import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { ownershipProofs } from '@/db/schema/ownership-proofs';
import { sites } from '@/db/schema/sites';

/**
 * Sets `sites.ownership` of all listings of domains: `owner` if the listing's seller proved the domain, `contributor` if
 * only other sellers who list it did. Call it in the transaction of a change of proofs, domains or owners. Skips listings
 * that another transaction is changing, so that two changes never wait for each other; `refreshAllOwnership` follows.
 * @param domains names, or a query of one column
 */
export async function refreshOwnership(tx: Executor, domains: readonly string[] | SQL): Promise<void> {
  if (Array.isArray(domains) && domains.length === 0) return;
  const names = Array.isArray(domains) ? sql`${sql.param(domains)}::text[]` : sql`array(${domains})`;
  await tx.execute(sql`
    with proved as materialized (
      select p.seller_id, p.domain from ${ownershipProofs} p
      where p.domain = any(${names}) and p.verified_at is not null
        and exists (select from ${sites} l where l.domain = p.domain and l.owner_id = p.seller_id and l.deleted_at is null)
    ),
    wanted as materialized (
      select s.id, case
        when exists (select from proved where proved.domain = s.domain and proved.seller_id = s.owner_id) then 'owner'
        when exists (select from proved where proved.domain = s.domain) then 'contributor' end as ownership
      from ${sites} s where s.domain = any(${names}) and s.deleted_at is null
    ),
    changed as materialized (
      select s.id, wanted.ownership from ${sites} s join wanted on wanted.id = s.id
      where s.ownership is distinct from wanted.ownership
      order by s.id for no key update of s skip locked
    )
    update ${sites} set ownership = changed.ownership from changed where ${sites}.id = changed.id`);
}

/** Corrects the listings that `refreshOwnership` skipped or that were created during a check, also of domains without a proof. */
export const refreshAllOwnership = (tx: Executor): Promise<void> =>
  refreshOwnership(
    tx,
    sql`select domain from ${ownershipProofs} where verified_at is not null
      union select domain from ${sites} where ownership is not null and deleted_at is null`,
  );
