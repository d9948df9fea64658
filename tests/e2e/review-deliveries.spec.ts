import { expect, type Locator, type Page } from '@playwright/test';
import { eq, inArray } from 'drizzle-orm';
import { db } from '@/db/client';
import { type LinkVerdict, linkWatches } from '@/db/schema/links';
import { orders } from '@/db/schema/orders';
import { placements } from '@/db/schema/placements';
import type { Actor } from '@/lib/access/actor';
import { makeAccount } from '@/tests/factories/make-account';
import { makeLinkCheck } from '@/tests/factories/make-link-check';
import { makePlacement } from '@/tests/factories/make-placement';
import { makeProject } from '@/tests/factories/make-project';
import { makeUser } from '@/tests/factories/make-user';
import { press } from './by-keyboard';
import { expectNoViolation } from './expect-no-violation';
import { button, entry, link } from './find';
import { signInAs } from './sign-in';
import { test } from './watched-test';

/** Makes a delivery whose link was checked. The next check is far, so that the app's own does not replace it. */
async function deliver(buyer: Actor, seller: Actor, projectId: string, verdict: LinkVerdict): Promise<number> {
  const { id } = await makePlacement('accepted', { buyer, seller, projectId });
  const url = `https://blog-${id}.example.org/post`;
  const [approveDueAt, nextCheckAt] = [5, 300].map((days) => new Date(Date.now() + days * 86_400_000));
  const delivered = { state: 'delivered', deliveredAt: new Date(), deliveredUrl: url, approveDueAt } as const;
  await db().update(placements).set(delivered).where(eq(placements.orderId, id));
  await db().update(orders).set({ status: 'Processing' }).where(eq(orders.id, id));
  await db()
    .insert(linkWatches)
    .values({
      ...{ orderId: id, buyerId: buyer.userId, sellerId: seller.userId, projectId, siteUrl: url, pageUrl: url },
      ...{ host: new URL(url).host, targetUrl: 'https://project.example/page', verdict, startedAt: new Date() },
      ...{ checkedAt: new Date(), nextCheckAt },
    });
  const found = verdict === 'ok' ? {} : { found: false, rel: '', anchor: '', reasons: ['link_missing'] };
  await makeLinkCheck(id, { verdict, pageUrl: url, ...found });
  return id;
}

test('20 deliveries are reviewed in at most four steps by keyboard; a failed check asks for a change @both-full', async ({
  page,
}) => {
  test.setTimeout(120_000);
  const [buyer, seller] = [await makeAccount(), await makeUser('Seller')];
  const projectId = await makeProject(buyer);
  const failed = await deliver(buyer, seller, projectId, 'broken');
  const good: number[] = [];
  while (good.length < 20) good.push(await deliver(buyer, seller, projectId, 'ok'));
  await signInAs(page, 'user', buyer.email, '/user');

  let steps = 0;
  const step = async (control: Locator) => {
    steps += 1;
    await press(page, control);
  };
  await step(link(page, 'To review (21)'));
  await expect(entry(page, `#${failed}`)).toContainText('The page has no link to the target.');
  await expect(entry(page, `#${good[0]}`)).toContainText('“garden spades” · rel nofollow');
  await expectNoViolation(page);
  await step(button(page, 'Select all in order (20)'));
  await expect(button(page, 'Approve selected')).toBeFocused();
  await step(button(page, 'Approve selected'));
  await expect(page.getByText('20 deliveries approved.')).toBeVisible();
  expect(steps).toBeLessThanOrEqual(4);
  const states = await db().select().from(placements).where(inArray(placements.orderId, good));
  expect(new Set(states.map(({ state }) => state))).toEqual(new Set(['approved']));

  await expect(tabs(page).getByRole('link', { name: 'To review 1', exact: true })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await press(page, button(page, `Ask for a change: order #${failed}`));
  const dialog = page.getByRole('dialog', { name: 'Ask for a change' });
  await expect(dialog.getByLabel('What should change?')).toHaveValue(
    `The link check found: The page has no link to the target.\nhttps://blog-${failed}.example.org/post`,
  );
  await press(page, button(dialog, 'Ask for a change'));
  await expect(page.getByText('Nothing to review')).toBeVisible();
  await press(page, tabs(page).getByRole('link', { name: 'Waiting 1', exact: true }));
  await expect(entry(page, `#${failed}`)).toContainText('Change requested');
});

const tabs = (page: Page) => page.getByRole('navigation', { name: 'Orders by step' });
