import type { linkRels } from '@/db/enums';
import { env } from '@/lib/env';
import { canParseUrl } from '@/lib/network/can-parse-url';
import { log } from '@/lib/platform/log/log';
import { isPublisherName } from './installation-network';

/** The article of a delivery. `rel` is the value of the brief; `any` and `dofollow` set none. */
export type SandboxPage = {
  pageUrl: string;
  targetUrl: string;
  /** Empty for the host of the target. */
  anchor: string;
  rel: (typeof linkRels)[number];
  /** A state to begin with, as its button on the gateway's page Publisher would set it. */
  change?: 'lost' | 'nofollow' | 'forbidden';
};

const timeoutMs = 2_000;

/**
 * Publishes an article with the link in the sandbox, so that the demo's link checks find what was delivered. Does nothing
 * without PUBLISHER_BASE_URL and for a host that the publisher does not serve. Logs a failure and does not throw.
 * @param options.replaces whether a page that exists is replaced; it stays as it is unless this is true
 */
export async function publishSandboxPage(page: SandboxPage, { replaces = false } = {}): Promise<void> {
  const { PUBLISHER_BASE_URL } = env();
  if (!PUBLISHER_BASE_URL || !isOnPublisher(page.pageUrl)) return;
  try {
    const response = await fetch(new URL('/control/pages', PUBLISHER_BASE_URL), {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json', ...(!replaces && { 'If-None-Match': '*' }) },
      body: JSON.stringify({ url: page.pageUrl, html: createSandboxArticle(page), change: page.change ?? null }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    // The publisher keeps a page that exists and answers 412.
    if (!response.ok && response.status !== 412) throw new Error(`The publisher returned ${response.status}.`);
  } catch (thrown) {
    log().warn({ err: thrown, pageUrl: page.pageUrl }, 'The sandbox page was not published.');
  }
}

function isOnPublisher(url: string): boolean {
  return canParseUrl(url) && isPublisherName(new URL(url).hostname);
}

/** Creates the HTML of an article with the link, as it is published in the sandbox. */
export function createSandboxArticle({ pageUrl, targetUrl, anchor, rel }: SandboxPage): string {
  const { hostname, pathname } = new URL(pageUrl);
  const title = escapeHtml(formatTitle(pathname) || hostname);
  const text = anchor || (canParseUrl(targetUrl) ? new URL(targetUrl).hostname : targetUrl);
  const relAttribute = rel === 'any' || rel === 'dofollow' ? '' : ` rel="${rel}"`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
</head>
<body>
<article>
<h1>${title}</h1>
<p>Our editors compared what readers asked about this topic in the last months, and summarize the answers here.</p>
<p>A detailed explanation is available from <a href="${escapeHtml(targetUrl)}"${relAttribute}>${escapeHtml(text)}</a>.</p>
<p>Published by ${escapeHtml(hostname)}.</p>
</article>
</body>
</html>
`;
}

/** Formats "/guides/gravel-bikes.html" as "Gravel bikes". */
function formatTitle(pathname: string): string {
  const [slug = ''] = pathname.split('/').filter(Boolean).slice(-1);
  const words = slug.replace(/\.\w+$/, '').replace(/[-_+]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
