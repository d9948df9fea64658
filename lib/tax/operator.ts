import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '@/db/client';
import { settings } from '@/db/schema/settings';
import type { DocumentSeller } from '@/db/schema/tax';
import { parseSetting, readSettings, type SettingRows } from '@/lib/settings/settings';
import { euPersonRules, type Operator, type TaxSwitch } from './contract';
import { vatTerritory } from './countries';

export const operatorKey = 'operator';
export const taxKey = 'tax';

const text = z.string();

/** The stored identity; lib/tax/operator-contract.ts checks what admins enter. */
const storedOperator = z.object({
  name: text,
  street: text,
  postcode: text,
  city: text,
  region: text,
  country: text,
  vatIds: z.array(z.object({ country: text, number: text })),
  taxNumber: text,
  registration: text,
  contact: z.object({ name: text, phone: text, email: text }),
  isSmallBusiness: z.boolean(),
  smallBusinessText: text,
  untaxedText: text,
  served: z.object({
    domestic: z.boolean(),
    euBusinesses: z.boolean(),
    euPersons: z.enum(euPersonRules),
    outsideEu: z.boolean(),
  }),
  trustsSilentVies: z.boolean(),
  rates: z.array(z.object({ country: text, from: z.iso.date(), rate: z.int().min(0).max(10_000) })),
  bankAccounts: z.array(
    z.object({
      currency: z.enum(['EUR', 'USD']),
      ...{ holder: text, iban: text, bic: text, accountNumber: text, routingNumber: text, bankName: text },
    }),
  ),
}) satisfies z.ZodType<Operator>;

const storedSwitch = z.object({ enabled: z.boolean(), country: text }) satisfies z.ZodType<TaxSwitch>;

/** The operator before it is set. */
export const emptyOperator: Operator = {
  ...{ name: '', street: '', postcode: '', city: '', region: '', country: '', vatIds: [], taxNumber: '' },
  registration: '',
  contact: { name: '', phone: '', email: '' },
  isSmallBusiness: false,
  smallBusinessText: '',
  untaxedText: '',
  served: { domestic: true, euBusinesses: true, euPersons: 'refuse', outsideEu: true },
  trustsSilentVies: true,
  rates: [],
  bankAccounts: [],
};

/** Reads the operator from settings that were read. */
export const parseOperator = (rows: SettingRows) => parseSetting(rows, operatorKey, storedOperator, emptyOperator);

/** Reads the switch of tax from settings that were read. Tax is off by default. */
export const parseTaxSwitch = (rows: SettingRows) =>
  parseSetting(rows, taxKey, storedSwitch, { enabled: false, country: '' });

/** Builds SQL that is true while tax is on, to read it with other values in one statement. */
export const isTaxOn = sql<boolean>`exists (
  select 1 from ${settings} where ${settings.key} = ${taxKey} and ${settings.value} ->> 'enabled' = 'true')`;

/** Reads the operator and the switch of tax, each with its version for an edit. */
export async function readOperator(tx?: Executor) {
  const rows = await readSettings(tx);
  const [operator, tax] = [parseOperator(rows), parseTaxSwitch(rows)];
  return { operator: operator.value, version: operator.version, tax: tax.value, taxVersion: tax.version };
}

/** Whether documents need reference rates: tax is declared in the currency of a country, and euros can be received. */
export async function needsReferenceRates(): Promise<boolean> {
  const { operator, tax } = await readOperator();
  return tax.enabled || operator.bankAccounts.some(({ currency }) => currency === 'EUR');
}

/**
 * Returns the operator as documents copy it; null before its identity is set.
 * @param country whose VAT id it shows; by default the operator's own
 */
export function toDocumentSeller(operator: Operator, country = operator.country): DocumentSeller | null {
  const { name, street, postcode, city, region, taxNumber, registration, contact, vatIds } = operator;
  if (name === '' || operator.country === '') return null;
  const vatId = vatIds.find((one) => vatTerritory(one.country) === vatTerritory(country))?.number ?? '';
  return { name, street, postcode, city, region, country: operator.country, vatId, taxNumber, registration, contact };
}
