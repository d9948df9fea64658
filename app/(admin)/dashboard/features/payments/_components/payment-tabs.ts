import { type PaymentProviderName, paymentProviders } from '@/db/schema/topups';
import { providerScreens } from './provider-fields';

const pathname = '/dashboard/features/payments';
export const settlementPath = `${pathname}/settlement`;

/** The tabs of the Payments screen: one a provider, and the settlement of all of them. */
export function paymentTabs(current: PaymentProviderName | 'settlement') {
  return [
    ...paymentProviders.map((name) => ({
      href: `${pathname}?tab=${name}`,
      label: providerScreens[name].tab,
      current: name === current,
    })),
    { href: settlementPath, label: 'Settlement', current: current === 'settlement' },
  ];
}
