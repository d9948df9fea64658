import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { OrderBar } from '@/components/carts/order-bar';
import { addTax, describeIncluded } from '@/components/orders/add-tax';
import { orderColumns } from '@/components/orders/order-list';
import { BalancePreview, OrderTotal } from '@/components/orders/order-total';
import { TaxProblem } from '@/components/orders/tax-problem';
import { propertyRuns } from '@/scripts/testing/tier';
import { routed, textOf } from '@/tests/setup/render-part';

const poland = { rate: 2300, text: '', country: 'PL' };
const reverse = { rate: 0, text: 'Reverse charge', country: '' };
const problem = { problem: 'Enter your country under Billing: the tax depends on it.', url: '/user/billing' };

const show = (part: React.ReactNode) => textOf(renderToStaticMarkup(routed(part)));
const bar = (tax: Parameters<typeof addTax>[1], balanceCents: number) =>
  show(
    <OrderBar
      count={2}
      total={addTax([10_002, 10_002], tax)}
      balanceCents={balanceCents}
      pending={false}
      onOrder={() => undefined}
    />,
  );

describe('what a buyer sees before paying', () => {
  it('rounds the tax for each order, as it is charged, not for the sum', () => {
    // 10,002 × 23% is 2,300.46; the sum of both would be 4,600.92, rounded to 4,601.
    expect(addTax([10_002, 10_002], poland)).toMatchObject({ netCents: 20_004, taxCents: 4_600, totalCents: 24_604 });
    fc.assert(
      fc.property(
        fc.array(fc.nat(10_000_000), { maxLength: 20 }),
        fc.integer({ min: 0, max: 10_000 }),
        (nets, rate) => {
          const { netCents, taxCents, totalCents } = addTax(nets, { ...poland, rate });
          expect(totalCents).toBe(netCents + taxCents);
          expect(Math.abs(taxCents - (netCents * rate) / 10_000)).toBeLessThanOrEqual(nets.length / 2 + 1e-6);
        },
      ),
      { numRuns: propertyRuns(200) },
    );
  });

  it('shows net, tax and total, compares the wallet with the total, and asks for what is missing of it', () => {
    expect(bar(poland, 30_000)).toBe(
      'Net $200.04 VAT 23% $46.00 Total, 2 sites $246.04 Wallet now $300.00 Wallet after $53.96 Pay $246.04 · 2 sites',
    );
    expect(bar(poland, 20_104)).toContain('Add $45.00 and pay');
    expect(bar(reverse, 30_000)).toContain('Net $200.04 Reverse charge $0.00 Total, 2 sites $200.04');
    const total = addTax([10_000], { rate: 2550, text: '', country: 'FI' });
    expect(show(<OrderTotal label="1 site" total={total} balanceCents={5_000} />)).toBe(
      '1 site · $125.50 of $50.00 in your wallet $100.00 net, VAT 25.5%: $25.50 $75.50 more needed',
    );
    expect(show(<BalancePreview label="Total today" total={total} balanceCents={20_000} />)).toContain(
      'Net $100.00 VAT 25.5% $25.50 Total today $125.50',
    );
    expect(describeIncluded(total)).toBe(' with $25.50 VAT 25.5%');
    expect(describeIncluded(addTax([100], { rate: 1000, text: '', country: 'AU' }))).toBe(' with $0.10 Tax 10%');
  });

  it('shows no word of tax while tax is off', () => {
    expect(bar(null, 30_000)).toBe(
      'Total, 2 sites $200.04 Wallet now $300.00 Wallet after $99.96 Pay $200.04 · 2 sites',
    );
    expect(describeIncluded(addTax([100], null))).toBe('');
    expect(show(<TaxProblem tax={null} />)).toBe('');
    expect(show(<TaxProblem tax={poland} />)).toBe('');
  });

  it('names the tax beside the charge of an order in lists', () => {
    const order = { id: 1, createdAt: '2026-11-28T00:00:00Z', projectDomain: 'shop.example.com' };
    const item = { website: 'a.example', packageName: '', postType: 'Guest Post', quantity: 1 };
    const listed = { ...order, ...item, chargedCents: 10_001, price: 100.01, currency: 'USD' as const };
    expect(show(orderColumns.charged.cell({ ...listed, taxCents: 2_300 }))).toBe('$100.01 + $23.00 tax');
    expect(show(orderColumns.charged.cell({ ...listed, taxCents: 0 }))).toBe('$100.01');
  });

  it('says before the order why nothing can be ordered, with a link to Billing', () => {
    const markup = renderToStaticMarkup(routed(<TaxProblem tax={problem} />));
    expect(textOf(markup)).toBe(`${problem.problem} Billing`);
    expect(markup).toContain('href="/user/billing"');
  });
});
