import { db } from '@/db/client';
import { webhookDeliveries, webhookEndpoints } from '@/db/schema/webhook-endpoints';
import { distributeEvents } from '@/lib/developers/webhooks/deliver';
import { createWebhookSecret } from '@/lib/developers/webhooks/secrets';
import { newId } from '@/lib/ids';
import { createOrder } from '@/lib/orders/order/create';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { interleave } from './interleave';

const endpointCount = 1_000;

/**
 * Compares the paid orders of a buyer whose events 1,000 endpoints receive with those of a buyer without endpoints, and
 * measures how fast the job distributes an event to them. Requires an empty, migrated database.
 * @returns orders a second of both, and deliveries created a second
 */
export async function benchWebhooks(): Promise<{ without: number; withEndpoints: number; distributed: number }> {
  const [plain, watched] = [await makeBuyer(), await makeBuyer()];
  const siteId = await makeSite((await makeUser('Seller')).userId, 1);
  // More than the limit of a user, so directly.
  await db()
    .insert(webhookEndpoints)
    .values(
      Array.from({ length: endpointCount }, () => {
        const id = newId();
        const { sealedSecret } = createWebhookSecret(id);
        const url = 'https://hooks.example.com/';
        return { id, ownerId: watched.buyer.userId, url, events: ['order.created'], sealedSecret };
      }),
    );
  const order = ({ buyer, projectId }: typeof plain) =>
    createOrder(buyer, { kind: 'custom', projectId, siteIds: [siteId] });
  const rates = await interleave(
    [
      { name: 'without', run: () => order(plain) },
      { name: 'with', run: () => order(watched) },
    ],
    { workers: 4, rounds: 3, sliceMs: 2_000 },
  );
  const started = performance.now();
  await distributeEvents();
  const seconds = (performance.now() - started) / 1_000;
  const distributed = (await db().$count(webhookDeliveries)) / seconds;
  return { without: rates.get('without') ?? 0, withEndpoints: rates.get('with') ?? 0, distributed };
}

async function makeBuyer() {
  const buyer = await makeUser();
  await fundWallet(buyer.userId, 100_000_000_000);
  return { buyer, projectId: await makeProject(buyer) };
}
