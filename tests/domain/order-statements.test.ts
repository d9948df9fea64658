import { beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { orderCart } from '@/lib/orders/carts/order';
import { openCart } from '@/lib/orders/carts/queries';
import { saveCartItems } from '@/lib/orders/carts/save-items';
import { createOrder } from '@/lib/orders/order/create';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser, suspendStaff } from '@/tests/factories/make-user';
import { countStatements, type Traffic } from '@/tests/setup/count-statements';

/** What orders send to PostgreSQL: a verb that needs more statements or waits more often is slower for each buyer. */
let buyer: Actor;
let projectId: string;

beforeAll(async () => {
  await suspendStaff();
  buyer = await makeUser();
  projectId = await makeProject(buyer);
  await fundWallet(buyer.userId, 100_000_000);
});

/** Names statements by the tables that they write, or read first. */
const nameOf = (statement: string): string => {
  const written = [...statement.matchAll(/(?:insert into|update|delete from) "(\w+)"/g)].map(([, table]) => table);
  if (written.length > 0) return written.join(' + ');
  return statement.includes('ledger.post_transfers') ? 'post_transfers' : 'read';
};

const nothing = async () => undefined;
const summarize = ({ statements, roundTrips }: Traffic) => ({ statements: statements.map(nameOf), roundTrips });

const makeOffers = (count: number) =>
  Promise.all(
    Array.from({ length: count }, async () =>
      makeSite((await makeUser('Seller')).userId, 1_000, { isFulfilledByStaff: false }),
    ),
  );

describe('an order of one site', () => {
  it('that staff fulfill', async () => {
    const siteId = await makeSite((await makeUser('Seller')).userId, 1_000);
    const place = () => createOrder(buyer, { kind: 'custom', projectId, siteIds: [siteId] });
    expect(summarize(await countStatements(nothing, place))).toEqual({
      statements: ['read', 'read', 'checkouts', 'orders + order_briefs', 'audit_logs', 'events', 'post_transfers'],
      roundTrips: 5,
    });
  });

  it('that its owner fulfills, with an Idempotency-Key', async () => {
    const siteIds = await makeOffers(1);
    const place = () => createOrder(buyer, { kind: 'custom', projectId, siteIds }, newId());
    expect(summarize(await countStatements(nothing, place))).toEqual({
      statements: [
        ...['read', 'read', 'checkouts', 'orders + order_briefs', 'read', 'placements', 'read'],
        ...['placement_events', 'notices', 'events', 'mails', 'audit_logs', 'events', 'checkouts', 'post_transfers'],
      ],
      roundTrips: 7,
    });
  });
});

it('a cart of 30 sites of 30 sellers with briefs needs as many statements as one of one', async () => {
  const siteIds = await makeOffers(30);
  const fill = async (count: number) => {
    const { id, version } = await openCart(buyer, projectId);
    const items = siteIds.slice(0, count).map((siteId) => ({
      siteId,
      brief: {
        anchor: `garden tools ${siteId}`,
        targetUrl: `https://shop.example.com/${siteId}`,
        notes: 'In English.',
      },
    }));
    return saveCartItems(buyer, id, { items, version });
  };
  const place = ({ id }: { id: string }) => orderCart(buyer, id, { allowDuplicates: true }, newId());
  const one = summarize(await countStatements(() => fill(1), place));
  expect(summarize(await countStatements(() => fill(30), place))).toEqual(one);
  expect(one).toMatchObject({ roundTrips: 14, statements: { length: 27 } });
});
