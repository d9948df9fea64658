import { Money } from '@/components/ui/money';
import { type Currency, parseMoney } from '@/lib/money';

/** A price in major units as the view has it; a dash for none. */
export function SitePrice({ price, currency }: { price: number | null; currency: Currency }) {
  const cents = price === null ? null : parseMoney(price);
  return cents === null ? '–' : <Money amountMinor={cents} currency={currency} />;
}
