import type { HttpResponse } from '@/sandbox/http/reply';
import type { PublishedPage } from './records';

/** Longer than any client waits. */
const hangMs = 10 * 60 * 1_000;

/** Returns the response for a page in its present state. */
export function respondWithPage(page: PublishedPage): HttpResponse & { delayMs: number } {
  const { html, status, headers, redirect, delayMs } = page;
  const respond = (changed: Partial<HttpResponse & { delayMs: number }>) => ({
    status,
    headers: {
      'content-type': `text/${new URL(page.url).pathname.endsWith('.txt') ? 'plain' : 'html'}; charset=utf-8`,
      ...(redirect !== null && { location: redirect }),
      ...headers,
    },
    body: html,
    delayMs,
    ...changed,
  });
  switch (page.change) {
    case null:
      return respond({});
    case 'lost':
      return respond({ body: removeLinks(html) });
    case 'nofollow':
      return respond({ body: setNofollow(html) });
    case 'noindex':
      return respond({ body: addRobotsMeta(html) });
    case 'redirected':
      return respond({ status: 301, headers: { location: parkedUrl(page) }, body: '' });
    case 'forbidden':
      return respond({ status: 403, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'Forbidden' });
    case 'hanging':
      return respond({ delayMs: hangMs });
  }
}

/** Returns the page to which a changed page redirects: on another registrable domain. */
export function parkedUrl({ url }: Pick<PublishedPage, 'url'>): string {
  return `https://domain-for-sale.example.${new URL(url).hostname.endsWith('.net') ? 'org' : 'net'}/`;
}

/** The opening tag of a link. Values in quotes may contain ">". */
const linkTag = /<a(?=[\s>/])((?:[^>"']|"[^"]*"|'[^']*')*)>/gi;

/** Removes the links of a page; their text stays. */
function removeLinks(html: string): string {
  return html.replace(linkTag, '').replace(/<\/a\s*>/gi, '');
}

function setNofollow(html: string): string {
  return html.replace(linkTag, (_, attributes: string) => {
    const others = attributes.replace(/\srel\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi, '');
    return `<a rel="nofollow"${others}>`;
  });
}

function addRobotsMeta(html: string): string {
  const meta = '<meta name="robots" content="noindex">';
  const withMeta = html.replace(/<\/head\s*>/i, (end) => `${meta}${end}`);
  // Without a head the parser of a browser opens one at the first tag.
  return withMeta === html ? meta + html : withMeta;
}
