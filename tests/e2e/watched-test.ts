import { type Browser, type BrowserContext, test as base, expect, type Request } from '@playwright/test';
import { suspendEarlierStaff } from './suspend-earlier-staff';

const byte = () => Math.floor(Math.random() * 256);

/**
 * The `test` of every file here. Its browser has its own IP address, so that rate limits of one test do not affect
 * another. It fails on any error in any of its pages: a response of 400 and more, a failed request, an error in the
 * console or in a script, a page that loses its title. A test declares the errors that it provokes with `expecting`;
 * responses that it replaces (`page.route`) are excluded.
 */
export const test = base.extend<{ faults: string[]; quiet: undefined }>({
  extraHTTPHeaders: async ({ locale: _ }, use) => {
    await use({ 'X-Forwarded-For': `10.${byte()}.${byte()}.${byte()}` });
  },
  quiet: [
    async ({ locale: _ }, use) => {
      await suspendEarlierStaff();
      await use(undefined);
    },
    { auto: true },
  ],
  faults: [
    async ({ browser }, use, testInfo) => {
      const watch = watchFaults(browser);
      await use(watch.faults);
      await watch.end();
      const named = (how: string) =>
        testInfo.annotations.flatMap(({ type, description = '' }) => (type === how ? [description] : []));
      const [expected, allowed] = [named('expecting'), named('allowing')];
      const hasOccurred = (pattern: string) => watch.faults.some((fault) => matches(fault, pattern));
      const unexpected = watch.faults.filter(
        (fault) => ![...expected, ...allowed].some((pattern) => matches(fault, pattern)),
      );
      expect.soft(unexpected, 'what went wrong unexpectedly').toEqual([]);
      if (testInfo.status !== testInfo.expectedStatus) return;
      expect(
        expected.filter((pattern) => !hasOccurred(pattern)),
        'what was expected to go wrong, and did not',
      ).toEqual([]);
    },
    { auto: true },
  ],
});

/**
 * For a test's details: the errors that it provokes in its pages, each at least once.
 * @param faults as in the report, `*` for any characters: "409 PATCH /api/packages/*"
 */
export function expecting(...faults: string[]) {
  return { annotation: faults.map((description) => ({ type: 'expecting', description })) };
}

/** Adds one that depends on timing between browser and server. */
export function allowing(fault: string, { annotation }: ReturnType<typeof expecting>) {
  return { annotation: [...annotation, { type: 'allowing', description: fault }] };
}

function matches(fault: string, pattern: string): boolean {
  const plain = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${plain.replaceAll('*', '.*')}$`, 's').test(fault);
}

/** Collects the errors of every page that the browser opens, until the end of the test. */
function watchFaults(browser: Browser) {
  const faults: string[] = [];
  const checks: Promise<void>[] = [];
  const describeRequest = ({ method, url }: { method: string; url: string }) => `${method} ${new URL(url).pathname}`;
  const of = (request: Request) => describeRequest({ method: request.method(), url: request.url() });
  const watch = (context: BrowserContext) => {
    context.on('response', (response) => {
      if (response.status() < 400) return;
      // A response without a server belongs to the test.
      const check = response.serverAddr().then((server) => {
        if (server) faults.push(`${response.status()} ${of(response.request())}`);
      });
      checks.push(check.catch(() => undefined));
    });
    context.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText ?? '';
      // A navigation aborts the requests of the page; the test aborts the others.
      if (['net::ERR_ABORTED', 'net::ERR_FAILED', 'net::ERR_INTERNET_DISCONNECTED'].includes(reason)) return;
      faults.push(`${reason} ${of(request)}`);
    });
    context.on('console', (message) => {
      // Failed resources are reported above, with their URL.
      if (message.type() !== 'error' || message.text().startsWith('Failed to load resource')) return;
      faults.push(`console: ${message.text()}`);
    });
    context.on('weberror', (error) => faults.push(`error: ${error.error().message}`));
    // Its failures come from a closed context.
    context.addInitScript(reportLostTitle).catch(() => undefined);
  };
  browser.on('context', watch);
  return {
    faults,
    end: async () => {
      browser.off('context', watch);
      await Promise.all(checks);
    },
  };
}

/** In a page: logs an error when the page had a title and loses it, however briefly. */
function reportLostTitle() {
  let hadTitle = false;
  new MutationObserver(() => {
    const hasTitle = document.title !== '';
    if (hadTitle && !hasTitle) console.error(`${location.pathname} lost its title`);
    hadTitle = hasTitle;
  }).observe(document, { childList: true, subtree: true, characterData: true });
}
