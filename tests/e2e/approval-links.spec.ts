import { expect } from '@playwright/test';
import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { orderRequestLines } from '@/db/schema/order-requests';
import { orders } from '@/db/schema/orders';
import { inAccount } from '@/lib/access/account-choice';
import { createLink } from '@/lib/orders/requests/client-link';
import { joinAgency, makeAgency, makeRequest } from '@/tests/factories/make-request';
import { expectNoViolation } from './expect-no-violation';
import { signIn } from './sign-in';
import { test } from './watched-test';

test.use({ viewport: { width: 390, height: 844 } });

test('a client answers in the portal, which shows nothing else', async ({ page }) => {
  const agency = await makeAgency(100_000);
  const client = await joinAgency(agency, 'client', [agency.projectId]);
  const request = await makeRequest(agency, agency.owner, [12_345, 6_789], { site: { dr: 55, traffic: 4_000 } });
  const { url } = await createLink(agency.owner, request.id, { prices: 'none' });
  await signIn(page, 'user', client.email);
  await page.goto(inAccount('/user', agency.id));
  await expect(page).toHaveURL(/\/user\/requests$/);
  await expect(page.getByText(/Wallet|Cart|Marketplace/)).toHaveCount(0);
  await expectNoViolation(page);
  await page.getByRole('link', { name: '2 links for shop.example.com' }).click();
  const lines = page.getByRole('listitem').filter({ has: page.getByRole('radio') });
  await lines.nth(0).getByText('Approve').click();
  await lines.nth(1).getByText('Strike').click();
  await lines.nth(1).getByRole('textbox').fill('Not for our readers');
  await expectNoViolation(page);
  await page.getByRole('button', { name: 'Send answer' }).click();
  await expect(page.getByText('Thank you. 1 of 2 links were approved.')).toBeVisible();
  const ordered = request.siteIds.map((siteId) => db().$count(orders, eq(orders.siteId, siteId)));
  expect(await Promise.all(ordered)).toEqual([1, 0]);
  const stored = db()
    .select({ state: orderRequestLines.state, comment: orderRequestLines.comment })
    .from(orderRequestLines)
    .where(eq(orderRequestLines.requestId, request.id))
    .orderBy(orderRequestLines.position);
  expect(await stored).toEqual([
    { state: 'approved', comment: '' },
    { state: 'declined', comment: 'Not for our readers' },
  ]);
  await page.goto(new URL(url).pathname);
  await expect(page.getByRole('status')).toContainText('Thank you');
  await expectNoViolation(page);
});
