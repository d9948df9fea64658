import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { maxEndpoints } from '@/lib/developers/webhooks/endpoints';
import { newId } from '@/lib/ids';
import { makeAccount } from '@/tests/factories/make-account';
import { makeStaff } from '@/tests/factories/make-staff';
import { makeWebhookEndpoint, removeEarlierEndpoints } from '@/tests/factories/make-webhook-endpoint';
import { openClient } from '@/tests/setup/http-client';

const created = z.looseObject({ id: z.string(), secret: z.string().startsWith('whsec_') });
const delivery = z.looseObject({ id: z.string(), log: z.array(z.looseObject({ status: z.int().nullable() })) });

const clients = { own: openClient(), installation: openClient() };
const addresses = { own: '/api/webhooks', installation: '/api/admin/webhooks' };
beforeAll(async () => {
  await removeEarlierEndpoints();
  await clients.own.signIn('user', (await makeAccount()).email);
  await clients.installation.signIn('admin', (await makeStaff('ManageSettings', 'ManageOrders')).email);
});

describe.each(['own', 'installation'] as const)('an endpoint (%s)', (scope) => {
  const [client, base] = [clients[scope], addresses[scope]];
  const create = () =>
    client.post(base, { url: `https://hooks-${newId()}.example.com/in`, events: ['order.created'], description: '' });
  const remove = (id: string) => client.request(`${base}/${id}`, { method: 'DELETE' });

  it('is tested, sent to again, rotated and deleted', async () => {
    const { id, secret } = created.parse((await create()).body);
    const listed = z.array(z.looseObject({ id: z.string() })).parse((await client.get(base)).body);
    expect(listed.map((endpoint) => endpoint.id)).toContain(id);
    const tested = await client.post(`${base}/${id}/test`);
    expect(tested.status).toBe(200);
    const { id: deliveryId } = delivery.parse(tested.body);
    // The job may have taken the message before the request, which then does not wait for it.
    const statuses = async () =>
      z
        .array(delivery)
        .parse((await client.get(`${base}/${id}/deliveries`)).body)
        // The installation also receives the orders of other tests.
        .filter((sent) => sent.id === deliveryId)
        .flatMap(({ log }) => log.map(({ status }) => status));
    // No page answers at this address of the sandbox's publisher.
    await expect.poll(statuses).toEqual([404]);
    expect((await client.post(`${base}/${id}/deliveries/${deliveryId}/retry`)).status).toBe(200);
    await expect.poll(statuses).toEqual([404, 404]);
    const rotated = await client.post(`${base}/${id}/rotate`);
    expect(rotated.status).toBe(200);
    expect(z.looseObject({ secret: z.string() }).parse(rotated.body).secret).not.toBe(secret);
    expect((await remove(id)).status).toBe(200);
    expect((await remove(id)).status).toBe(404);
  });
});

// The tests of all files share those of the installation: tests/domain/webhooks.test.ts reaches their maximum.
it('more than ten endpoints of one person are refused', async () => {
  const { email, userId } = await makeAccount();
  const client = openClient();
  await client.signIn('user', email);
  const url = 'https://hooks.example.com/in';
  for (let made = 0; made < maxEndpoints.own; made += 1) {
    await makeWebhookEndpoint({ userId }, { url, events: ['order.created'] });
  }
  expect(await client.post('/api/webhooks', { url, events: ['order.created'] })).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('maximum') },
  });
});
