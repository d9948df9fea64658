import { inArray, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { settings } from '@/db/schema/settings';
import { billingProfiles } from '@/db/schema/tax';
import type { Operator } from '@/lib/tax/contract';
import { emptyOperator, operatorKey, taxKey } from '@/lib/tax/operator';

const polish: Operator = {
  ...emptyOperator,
  ...{ name: 'Example Sp. z o.o.', street: 'ul. Prosta 1', postcode: '00-001', city: 'Warszawa', country: 'PL' },
  vatIds: [{ country: 'PL', number: 'PL5260001246' }],
  contact: { name: 'Books', phone: '+48 22 000 00 00', email: 'books@operator.example' },
};

/** Turns tax on for an operator in Poland, which charges persons of other member states the rates of their countries. */
export async function turnTaxOn(changes: Partial<Operator> = {}): Promise<void> {
  const operator = { ...polish, served: { ...polish.served, euPersons: 'oss' as const }, ...changes };
  await db()
    .insert(settings)
    .values([
      { key: operatorKey, value: operator },
      { key: taxKey, value: { enabled: true, country: operator.country } },
    ])
    .onConflictDoUpdate({ target: settings.key, set: { value: sql`excluded.value` } });
}

/** Turns tax off, and forgets the operator. */
export async function turnTaxOff(): Promise<void> {
  await db()
    .delete(settings)
    .where(inArray(settings.key, [operatorKey, taxKey]));
}

/** Saves the billing profile of a buyer, in Poland by default. */
export async function makeBillingProfile(
  userId: string,
  changes: Partial<Omit<typeof billingProfiles.$inferInsert, 'userId'>> = {},
): Promise<void> {
  const profile = {
    ...{ company: 'Buyer Sp. z o.o.', street: 'ul. Długa 2', postcode: '00-238', city: 'Warszawa', region: '' },
    ...{ country: 'PL', vatId: '', reference: '', email: '', ...changes },
  };
  await db()
    .insert(billingProfiles)
    .values({ accountId: userId, ...profile })
    .onConflictDoUpdate({ target: billingProfiles.accountId, set: profile });
}
