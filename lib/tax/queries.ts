import { listMissing } from './missing';
import { readOperator } from './operator';
import type { OperatorView } from './operator-contract';
import { listRates } from './rates';

/** Reads the operator, the switch of tax and the rates of today, as the screen shows them. */
export async function getOperator(): Promise<OperatorView> {
  const { operator, version, tax, taxVersion } = await readOperator();
  const day = new Date().toISOString().slice(0, 10);
  return {
    ...operator,
    version,
    tax: { ...tax, version: taxVersion, missing: listMissing(operator, tax.country || operator.country, day) },
    ratesInForce: listRates(operator.rates, day),
  };
}
