import { type PaymentProviderName, paymentProviders } from '@/db/schema/topups';
import { providerScreens } from './provider-fields';

const pathname = '/dashboard/features/payments';
export const disputesPath = `${pathname}/disputes`;
export const settlementPath = `${pathname}/settlement`;

/**
 * Returns the tabs of the Payments screen: one for each provider, disputes, and settlement.
 * @param openDisputes the number of open disputes
 */
export function paymentTabs(current: PaymentProviderName | 'disputes' | 'settlement', openDisputes: number) {
  return [
    ...paymentProviders.map((name) => ({
      href: `${pathname}?tab=${name}`,
      label: providerScreens[name].tab,
      current: name === current,
    })),
    {
      href: disputesPath,
      label: 'Payment disputes',
      current: current === 'disputes',
      count: openDisputes || undefined,
    },
    { href: settlementPath, label: 'Settlement', current: current === 'settlement' },
  ];
}
