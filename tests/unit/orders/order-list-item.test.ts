import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type OrderListItem,
  packOrder,
  unpackOrder,
} from '@/app/(admin)/dashboard/features/orders/_components/order-list-item';
import { orderStatuses } from '@/db/schema/orders';

const site = fc.record({
  website: fc.webUrl(),
  postType: fc.string(),
  packageName: fc.constant(''),
  quantity: fc.constant(1),
});
const aPackage = fc.record({
  website: fc.constant(''),
  postType: fc.constant(''),
  packageName: fc.string({ minLength: 1 }),
  quantity: fc.integer({ min: 1, max: 100 }),
});
const price = fc.oneof(
  fc.nat().map((chargedCents) => ({ chargedCents, price: chargedCents / 100, currency: 'USD' as const })),
  fc.record({
    chargedCents: fc.nat(),
    price: fc.nat().map((cents) => cents / 100),
    currency: fc.constantFrom('EUR', 'GBP'),
  }),
);
const rest = fc.record({
  id: fc.integer({ min: 1 }),
  createdAt: fc.constant('2026-02-03T04:05:06.000Z'),
  status: fc.constantFrom(...orderStatuses),
  userName: fc.string(),
  userEmail: fc.emailAddress(),
  projectDomain: fc.domain(),
  linkUrl: fc.oneof(fc.constant(''), fc.webUrl()),
  contentFileName: fc.option(fc.string()),
});
const order: fc.Arbitrary<OrderListItem> = fc
  .tuple(fc.oneof(site, aPackage), price, rest)
  .map(([item, money, facts]) => ({ ...item, ...money, ...facts }));

it('restores every packed order of the table', () => {
  fc.assert(
    fc.property(order, (row) => {
      const sent: unknown = JSON.parse(JSON.stringify(packOrder(row)));
      expect(sent).toEqual(packOrder(row));
      expect(unpackOrder(packOrder(row))).toEqual(row);
    }),
  );
});
