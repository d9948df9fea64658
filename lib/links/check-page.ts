import { fetchPage } from './fetch-page';
import { untilAborted } from './guarded-connection';
import type { createPageJudge } from './judge-in-worker';
import type { Judgement, WantedLink } from './judge-page';
import type { Network } from './page-fetch';
import type { RobotsAnswer, RobotsFiles } from './robots';

type CheckOptions = { robots: RobotsFiles; network?: Network; signal?: AbortSignal; now?: Date };

let judge: Promise<ReturnType<typeof createPageJudge>> | undefined;

/**
 * Returns the judge of the process, loaded at the first page: Playwright, whose tests import verbs of orders, cannot load
 * a module with `import.meta`.
 */
const getJudge = () => {
  judge ??= import('./judge-in-worker').then((module) => module.createPageJudge());
  return judge;
};

/**
 * Checks a page for the link of an order: asks the robots.txt of each address on the way, fetches the page, and judges
 * it in a worker thread.
 * @throws the reason of `signal`
 */
export const checkPage = async (pageUrl: string, requested: WantedLink, options: CheckOptions): Promise<Judgement> =>
  (await openPage(pageUrl, options))(requested);

/**
 * Fetches a page as `checkPage` does, once for several links.
 * @returns the function that judges the page for a link
 */
export async function openPage(
  pageUrl: string,
  { robots, network, signal, now }: CheckOptions,
): Promise<(requested: WantedLink) => Promise<Judgement>> {
  const fetched = await fetchPage(pageUrl, {
    network,
    signal,
    beforeRequest: async (url) => {
      const failure = robotsFailures[await robots.ask(url)];
      return failure === 'robots_unreachable' ? (robots.findFailure(url) ?? failure) : failure;
    },
  });
  const forGoogle = fetched.ok ? await robots.askForGoogle(new URL(fetched.url)) : 'allowed';
  const judgePage = await getJudge();
  return (requested) => {
    const judged = judgePage(requested, fetched, { robots: forGoogle, now, signal });
    return signal ? untilAborted(judged, signal) : judged;
  };
}

const robotsFailures = {
  allowed: null,
  disallowed: 'robots_disallowed',
  unreachable: 'robots_unreachable',
} as const satisfies Record<RobotsAnswer, string | null>;
