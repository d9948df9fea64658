import { expect, type Page } from '@playwright/test';
import { db } from '@/db/client';
import { linkProofs } from '@/db/schema/links';
import { newId } from '@/lib/ids';
import { findProof, issueProof, revokeProofs } from '@/lib/links/passport/proofs';
import { makeLinkCheck } from '@/tests/factories/make-link-check';
import { makeOrder } from '@/tests/factories/make-order';
import { expectNoViolation } from './expect-no-violation';
import { expecting, test } from './watched-test';

const issue = async (change?: Parameters<typeof makeLinkCheck>[1]) => {
  const { id: orderId } = await makeOrder(1_000);
  const check = await makeLinkCheck(orderId, change);
  const id = await db().transaction((tx) => issueProof(tx, check));
  return { id: id ?? '', orderId };
};

const result = (page: Page) => page.locator('main').getByRole('alert').or(page.locator('main').getByRole('status'));

test('the browser verifies a passport without an account @both-full', async ({ page }) => {
  const { id } = await issue({ verdict: 'changed', anchor: '<b>spades</b>' });
  await page.goto(`/proof/${id}`);
  await expect(result(page)).toContainText('This passport is valid');
  await expect(page.getByText('In place, with differences from what was ordered')).toBeVisible();
  await expect(page.getByText('<b>spades</b>', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'https://blog.example.org/post', exact: true })).toHaveAttribute(
    'rel',
    /nofollow/,
  );
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex, nofollow');
  await expectNoViolation(page);
});

test('a passport with one flipped bit is not valid @both-full', async ({ page }) => {
  const { id, orderId } = await issue();
  const proof = await findProof(id);
  if (!proof) throw new Error('The passport is missing.');
  // The two letters differ in one bit.
  const statement = proof.statement.replace('spades', 'spader');
  const flipped = newId();
  const { id: checkId } = await makeLinkCheck(orderId);
  const { signature, keyId } = proof;
  await db().insert(linkProofs).values({ id: flipped, orderId, checkId, statement, signature, keyId });
  await page.goto(`/proof/${flipped}`);
  await expect(result(page)).toContainText('This passport is not valid');
  await expect(page.getByText('What the statement says, not verified')).toBeVisible();
  await expect(page.getByRole('link', { name: /blog\.example\.org/ })).toHaveCount(0);
  await expectNoViolation(page);
});

test('a revoked passport says so @both @full', async ({ page }) => {
  const { id, orderId } = await issue();
  await db().transaction((tx) => revokeProofs(tx, orderId, 'lost'));
  await page.goto(`/proof/${id}`);
  await expect(result(page)).toContainText('This passport was revoked');
  await expectNoViolation(page);
});

test('a browser without Ed25519 says that nothing is proven @full', async ({ page }) => {
  const { id } = await issue();
  await page.addInitScript(() => {
    crypto.subtle.importKey = () => Promise.reject(new DOMException('Unrecognized name.', 'NotSupportedError'));
  });
  await page.goto(`/proof/${id}`);
  await expect(result(page)).toContainText('This browser cannot verify the signature');
  await expect(page.getByText('What the statement says, not verified')).toBeVisible();
});

test('an unknown passport is not found @full', expecting('404 GET /proof/*'), async ({ page }) => {
  await page.goto(`/proof/${newId()}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This page does not exist');
});
