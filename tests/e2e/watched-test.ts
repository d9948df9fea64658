import { type Browser, type BrowserContext, test as base, expect, type Request } from '@playwright/test';
import { quietAdmins } from './quiet-admins';

const byte = () => Math.floor(Math.random() * 256);

/**
 * The test of every file here. Its browser seems to come from an address of its own, so that limits of one test do not
 * count for another, and it fails on whatever went wrong in any of its pages, seen or not: an answer of 400 and more, a
 * request without an answer, an error in the console or in a script, a page that loses its title. What a test provokes on purpose it names by
 * `expecting`; what it answers in the server's place (`page.route`) it knows already.
 */
export const test = base.extend<{ faults: string[]; quiet: undefined }>({
  extraHTTPHeaders: async ({ locale: _ }, use) => {
    await use({ 'X-Forwarded-For': `10.${byte()}.${byte()}.${byte()}` });
  },
  quiet: [
    async ({ locale: _ }, use) => {
      await quietAdmins();
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
      const isMet = (pattern: string) => watch.faults.some((fault) => matches(fault, pattern));
      const nobodyNamed = watch.faults.filter(
        (fault) => ![...expected, ...allowed].some((pattern) => matches(fault, pattern)),
      );
      expect.soft(nobodyNamed, 'what went wrong unexpectedly').toEqual([]);
      if (testInfo.status !== testInfo.expectedStatus) return;
      expect(
        expected.filter((pattern) => !isMet(pattern)),
        'what was expected to go wrong, and did not',
      ).toEqual([]);
    },
    { auto: true },
  ],
});

/**
 * For a test's details: what goes wrong in its pages on purpose, each at least once.
 * @param faults as the report tells them, `*` for any characters: "409 PATCH /api/packages/*"
 */
export function expecting(...faults: string[]) {
  return { annotation: faults.map((description) => ({ type: 'expecting', description })) };
}

/** Adds one that comes or does not, as the browser was quicker or the server: for what nobody can bring about. */
export function allowing(fault: string, { annotation }: ReturnType<typeof expecting>) {
  return { annotation: [...annotation, { type: 'allowing', description: fault }] };
}

function matches(fault: string, pattern: string): boolean {
  const plain = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${plain.replaceAll('*', '.*')}$`, 's').test(fault);
}

/** Collects the faults of every page that the browser opens from now on, until it is ended. */
function watchFaults(browser: Browser) {
  const faults: string[] = [];
  const checks: Promise<void>[] = [];
  const told = ({ method, url }: { method: string; url: string }) => `${method} ${new URL(url).pathname}`;
  const of = (request: Request) => told({ method: request.method(), url: request.url() });
  const watch = (context: BrowserContext) => {
    context.on('response', (response) => {
      if (response.status() < 400) return;
      // A response without a server is the test's own.
      const check = response.serverAddr().then((server) => {
        if (server) faults.push(`${response.status()} ${of(response.request())}`);
      });
      checks.push(check.catch(() => undefined));
    });
    context.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText ?? '';
      // A page that is left gives up what it was fetching; the others are what a test itself cuts off.
      if (['net::ERR_ABORTED', 'net::ERR_FAILED', 'net::ERR_INTERNET_DISCONNECTED'].includes(reason)) return;
      faults.push(`${reason} ${of(request)}`);
    });
    context.on('console', (message) => {
      // What failed to load is told above, with its address.
      if (message.type() !== 'error' || message.text().startsWith('Failed to load resource')) return;
      faults.push(`console: ${message.text()}`);
    });
    context.on('weberror', (error) => faults.push(`error: ${error.error().message}`));
    // Its failures are those of a context that is closed already.
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

/** In a page: an error in its console when it had a title and has none any more, however shortly. */
function reportLostTitle() {
  let hadTitle = false;
  new MutationObserver(() => {
    const hasTitle = document.title !== '';
    if (hadTitle && !hasTitle) console.error(`${location.pathname} lost its title`);
    hadTitle = hasTitle;
  }).observe(document, { childList: true, subtree: true, characterData: true });
}
