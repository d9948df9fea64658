import { expect, type Page } from '@playwright/test';
import { testPassword } from '@/tests/factories/make-account';
import { makeConsents } from '@/tests/factories/make-consents';

const homes = { user: '/user', admin: '/dashboard', seller: '/seller' } as const;
type Portal = keyof typeof homes;

/**
 * Signs a user in, who has agreed to the documents, by the portal's API, for a test that opens a page by itself. The form is slower, and accounts.spec.ts,
 * journeys.spec.ts and keyboard.spec.ts test it.
 */
export async function signIn(page: Page, portal: Portal, email: string): Promise<void> {
  await makeConsents(email);
  const answer = await page.request.post(`/api/${portal}/auth/login`, {
    data: { email, password: testPassword },
    // As from a page of the app; an ended session may still have its cookie.
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    // Node.js closes an idle connection after five seconds, which can be the moment in which this request is sent on it.
    maxRetries: 2,
  });
  expect(answer.status(), await answer.text()).toBe(200);
}

/** Signs a user in by the portal's API and opens a page. */
export async function signInAs(page: Page, portal: Portal, email: string, path: string = homes[portal]): Promise<void> {
  await signIn(page, portal, email);
  await page.goto(path);
  // A dialog opened by the URL hides the page from assistive technology, so the element is found by its name.
  await expect(page.locator('main').first()).toBeVisible();
}

/** Signs a user in, who has agreed to the documents, by the portal's own form. */
export async function signInByForm(page: Page, portal: Portal, email: string, password = testPassword): Promise<void> {
  await makeConsents(email);
  await page.goto(`/${portal}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => url.pathname === homes[portal]);
  await expect(page.getByRole('main')).toBeVisible();
}
