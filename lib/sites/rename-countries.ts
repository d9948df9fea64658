import { and, eq, isNull, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { sites } from '../../db/schema/sites';
import { systemActor } from '../access/actor';
import { recordAudit } from '../platform/audit/record';
import { findCountry } from '../taxonomy/find-country';
import { listManagedCountries } from './managed-queries';

/** The number of sites that one transaction changes, and of transactions in one run. */
const batchSize = 1_000;
const maxBatches = 100;

/**
 * Gives sites of earlier versions, which stored countries as typed, the name that the catalog uses: "United Kingdom" for
 * "UK". Unknown names stay. Keeps versions, because a form that was opened before still saves the same country. The next
 * run changes what exceeds the limit of this one; without such sites, it reads the distinct countries only.
 */
export async function renameCountries(): Promise<{ renamed: number }> {
  let renamed = 0;
  let batches = 0;
  for (const country of await listManagedCountries()) {
    const name = findCountry(country) ?? country;
    while (name !== country && batches < maxBatches) {
      const count = await renameBatch(country, name);
      renamed += count;
      batches += 1;
      if (count < batchSize) break;
    }
  }
  return { renamed };
}

async function renameBatch(country: string, name: string): Promise<number> {
  return db().transaction(async (tx) => {
    const some = tx
      .select({ id: sites.id })
      .from(sites)
      .where(and(eq(sites.country, country), isNull(sites.deletedAt)))
      .limit(batchSize)
      // A site that is being edited has its turn in the next run.
      .for('no key update', { skipLocked: true });
    const { count } = await tx
      .update(sites)
      // The seller's figures are as old as before.
      .set({ country: name, updatedAt: sql`${sites.updatedAt}` })
      // An array, because a join could run the limited query again.
      .where(sql`${sites.id} = any(array${some})`);
    if (count > 0) {
      await recordAudit(tx, systemActor('Countries', 'job'), {
        action: 'sites.country_renamed',
        details: `The country “${country}” became “${name}” on ${count === 1 ? '1 site' : `${count} sites`}.`,
        entityType: 'country',
        entityId: country,
        before: { country },
        after: { country: name },
      });
    }
    return count;
  });
}
