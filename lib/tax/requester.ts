import { vatPrefix, vatTerritory } from './countries';
import { readOperator } from './operator';
import { isInVies } from './vat-id';

/**
 * Reads the operator's own VAT id, which VIES answers with a consultation number: that of the country whose rules apply,
 * otherwise the first one of a member state. Null for none.
 */
export async function readRequester(): Promise<string | null> {
  const { operator, tax } = await readOperator();
  const known = operator.vatIds.filter(
    ({ country, number }) => isInVies(country) && number.startsWith(vatPrefix(country)),
  );
  return (known.find(({ country }) => vatTerritory(country) === vatTerritory(tax.country)) ?? known[0])?.number ?? null;
}
