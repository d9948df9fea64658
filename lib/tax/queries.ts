import { listMissing } from './missing';
import { readOperator } from './operator';
import type { OperatorView } from './operator-contract';
import { listRates } from './rates';

/** Reads the operator, the switch of tax and the rates of today, as the screen shows them. */
export async function getOperator(): Promise<OperatorView> {
  const { operator, version, tax, taxVersion } = await readOperator();
  const day = new Date().toISOString().slice(0, 10);
  const countries = [tax.country, operator.country, ...operator.vatIds.map(({ country }) => country)].filter(Boolean);
  const missing = countries.map((country) => listMissing(operator, country, day));
  return {
    ...operator,
    version,
    tax: {
      ...{ ...tax, version: taxVersion },
      missing:
        missing.find((fields) => Object.keys(fields).length === 0) ?? missing[0] ?? listMissing(operator, '', day),
    },
    ratesInForce: listRates(operator.rates, day),
  };
}
