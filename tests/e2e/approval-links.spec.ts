import { expect } from '@playwright/test';
import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { orderRequestLines } from '@/db/schema/order-requests';
import { orders } from '@/db/schema/orders';
import { createLink } from '@/lib/orders/requests/client-link';
import { joinAgency, type MadeRequest, makeAgency, makeRequest } from '@/tests/factories/make-request';
import { expectNoViolation } from './expect-no-violation';
import { signIn } from './sign-in';
import { test } from './watched-test';

test.use({ viewport: { width: 390, height: 844 } });

const listOrdered = (siteIds: readonly number[]) =>
  Promise.all(siteIds.map((siteId) => db().$count(orders, eq(orders.siteId, siteId))));
const readLines = ({ id }: MadeRequest) =>
  db()
    .select({ state: orderRequestLines.state, comment: orderRequestLines.comment })
    .from(orderRequestLines)
    .where(eq(orderRequestLines.requestId, id))
    .orderBy(orderRequestLines.position);
const answered = [
  { state: 'approved', comment: '' },
  { state: 'declined', comment: 'Not for our readers' },
];

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a client approves one line and strikes another on a phone', async ({ page }) => {
    const agency = await makeAgency(100_000);
    const request = await makeRequest(agency, agency.owner, [12_345, 6_789], { site: { dr: 55, traffic: 4_000 } });
    const { url } = await createLink(agency.owner, request.id, { prices: 'markup', markupPercent: 100 });
    await page.goto(new URL(url).pathname);
    await expect(page.getByText('$246.90')).toBeVisible();
    await expect(page.getByText('Stated by the site').first()).toBeVisible();
    const lines = page.getByRole('listitem');
    await expect(lines).toHaveCount(2);
    for (const choice of await page.getByText(/^(Approve|Strike)$/).all()) {
      const box = await choice.boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(44);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    }
    await lines.nth(0).getByText('Approve').click();
    await lines.nth(1).getByText('Strike').click();
    await lines.nth(1).getByRole('textbox').fill('Not for our readers');
    await page.getByRole('button', { name: 'Send answer' }).click();
    await expect(page.getByRole('status')).toHaveText('Thank you. 1 of 2 links were approved.');
    await expect(page.getByRole('button')).toHaveCount(0);
    await expect(page.getByText('“Not for our readers”')).toBeVisible();
    expect(await listOrdered(request.siteIds)).toEqual([1, 0]);
    expect(await readLines(request)).toEqual(answered);
  });
});

test('a client answers in the portal, which shows nothing else', async ({ page, baseURL }) => {
  const agency = await makeAgency(100_000);
  const client = await joinAgency(agency, 'client', [agency.projectId]);
  const request = await makeRequest(agency, agency.owner, [12_345, 6_789], { site: { dr: 55, traffic: 4_000 } });
  const { url } = await createLink(agency.owner, request.id, { prices: 'none' });
  await signIn(page, 'user', client.email);
  await page.context().addCookies([{ name: 'linkmarket.account', value: agency.id, url: baseURL ?? '' }]);
  await page.goto('/user');
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
  expect(await listOrdered(request.siteIds)).toEqual([1, 0]);
  expect(await readLines(request)).toEqual(answered);
  await page.goto(new URL(url).pathname);
  await expect(page.getByRole('status')).toContainText('Thank you');
  await expectNoViolation(page);
});
