import { test as base } from '@playwright/test';

const byte = () => Math.floor(Math.random() * 256);

/** A test whose browser seems to come from an address of its own: limits of one test do not count for another. */
export const test = base.extend({
  extraHTTPHeaders: async ({ locale: _ }, use) => {
    await use({ 'X-Forwarded-For': `10.${byte()}.${byte()}.${byte()}` });
  },
});
