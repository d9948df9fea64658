import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { Actor } from '@/lib/access/actor';
import { makeAccount } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { openClient } from '@/tests/setup/http-client';

let buyer: Actor;
const client = openClient();
beforeAll(async () => {
  buyer = await makeAccount();
  await client.signIn('user', buyer.email);
});

it('a quote without a price or without the money for it is refused', async () => {
  const projectId = await makeProject(buyer);
  const sellerId = (await makeAccount({ role: 'Seller' })).userId;
  const quote = async (siteId: number) => client.post('/api/quotes', { kind: 'custom', projectId, siteIds: [siteId] });
  const answer = await quote(await makeSite(sellerId, 5_000));
  expect(answer.status).toBe(201);
  const { id, totalCents } = z.looseObject({ id: z.string(), totalCents: z.int() }).parse(answer.body);
  expect((await client.post(`/api/quotes/${id}/place`, { expectedTotalCents: totalCents })).status).toBe(402);
  expect((await quote(await makeSite(sellerId, 5_000, { status: 'Rejected' }))).status).toBe(409);
});
