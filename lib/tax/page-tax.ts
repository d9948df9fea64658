import { getSettings } from '@/lib/settings/settings';
import { getShownTax, type ShownTax } from './buyer-tax';
import { parseTaxSwitch } from './operator';

/** Returns what `getShownTax` does. While tax is off, it needs no statement besides the settings of the request. */
export const getPageTax = async (accountId: string): Promise<ShownTax | null> =>
  parseTaxSwitch(await getSettings()).value.enabled ? getShownTax(accountId) : null;
