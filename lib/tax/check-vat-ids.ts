import { and, eq, inArray, ne, type SQL, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { billingProfiles } from '@/db/schema/tax';
import { systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { recordAudit } from '@/lib/platform/audit/record';
import { askVies, jobMs, readRequester } from './ask-vies';
import { euCountries } from './countries';

/** How many ids a run asks about, one after another: VIES limits what a requester asks at once. */
const batch = 20;
/** When a run ends. A silent VIES must not keep the jobs after it waiting in a cron call. */
const runMs = 45_000;

/** How long after a silent VIES it is asked again, and after how many days a registration may have ended. */
const retryMinutes = 15;
const recheckDays = 30;
/** After how many days a check is repeated that was not made for the operator's VAT id of today. */
const unprovenDays = 1;

/**
 * Asks VIES again about VAT ids that it has not answered about, and about those whose check is older than 30 days, so that
 * no order counts on an older one, or has no consultation number. A silent VIES leaves the earlier answer.
 * @param endsAt when no further id is asked about, as Date.now()
 * @returns the number of ids asked about, of those whose state changed, and of those without an answer
 */
export async function checkVatIds(
  endsAt = Date.now() + runMs,
): Promise<{ checked: number; changed: number; silent: number }> {
  const counts = { checked: 0, changed: 0, silent: 0 };
  const requester = await readRequester();
  const due = await db()
    .select({ accountId: billingProfiles.accountId, vatId: billingProfiles.vatId })
    .from(billingProfiles)
    .where(
      and(ne(billingProfiles.vatId, ''), inArray(billingProfiles.country, [...euCountries, 'MC']), isDue(requester)),
    )
    // Ids of a member state that does not answer must not keep the others waiting.
    .orderBy(sql`random()`)
    .limit(batch);
  for (const { accountId, vatId } of due) {
    const change = await recheck(accountId, vatId, requester);
    counts.checked += 1;
    counts.silent += change === 'silent' ? 1 : 0;
    counts.changed += change === 'changed' ? 1 : 0;
    if (Date.now() >= endsAt) break;
  }
  return counts;
}

function isDue(requester: string | null): SQL {
  const state = sql`${billingProfiles.vatCheck}->>'state'`;
  const checkedAt = sql`(${billingProfiles.vatCheck}->>'checkedAt')::timestamptz`;
  return sql`case
    when ${billingProfiles.vatCheck} is null then true
    when ${state} = 'unavailable' then ${checkedAt} < now() - make_interval(mins => ${retryMinutes})
    when ${state} = 'valid' and ${requester !== null} and ${billingProfiles.vatCheck}->>'requester' is distinct from ${requester}
      then ${checkedAt} < now() - make_interval(days => ${unprovenDays})
    else ${checkedAt} < now() - make_interval(days => ${recheckDays})
    end`;
}

async function recheck(accountId: string, vatId: string, requester: string | null) {
  const vatCheck = await askVies(vatId, requester, jobMs);
  return db().transaction(async (tx) => {
    const [row] = await tx
      .select({ vatId: billingProfiles.vatId, vatCheck: billingProfiles.vatCheck })
      .from(billingProfiles)
      .where(eq(billingProfiles.accountId, accountId))
      .for('update');
    // The answer is about another id than the one that the user saved in the meantime.
    if (row?.vatId !== vatId) return 'outdated';
    const before = row.vatCheck?.state ?? 'unavailable';
    if (vatCheck.state === 'unavailable' && before !== 'unavailable') return 'silent';
    await tx.update(billingProfiles).set({ vatCheck }).where(eq(billingProfiles.accountId, accountId));
    if (vatCheck.state === before) return vatCheck.state === 'unavailable' ? 'silent' : 'same';
    await recordAudit(tx, systemActor(systemActors.vatIdChecks, 'job'), {
      action: 'billing_profile.vat_id_checked',
      details: `VIES answered about a buyer’s VAT id: ${before} → ${vatCheck.state}.`,
      entityType: 'billing_profile',
      entityId: accountId,
      before: { state: before },
      after: { state: vatCheck.state },
    });
    return 'changed';
  });
}
