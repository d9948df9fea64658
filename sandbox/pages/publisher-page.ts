import { respondWithPage } from '@/sandbox/publisher/changed-page';
import type { PageChange, PublishedPage, PublisherRequest } from '@/sandbox/publisher/records';
import { consolePage, timeTag } from './console';
import { type Markup, markup } from './markup';

/** Longer lists need the filter. */
const maxRows = 100;

/** Renders the pages that the publisher serves, newest first. @param search a part of the URL, or an empty string */
export function publisherPage(pages: readonly PublishedPage[], search: string): string {
  const found = pages.filter(({ url }) => url.toLowerCase().includes(search.toLowerCase()));
  const content = markup`<section>
<div class="head"><h1>Publisher</h1>
<form class="filter" method="get" action="/publisher" role="search"><input type="search" name="search" value="${search}" placeholder="URL" aria-label="URL"><button class="button" type="submit">Filter</button></form></div>
<div class="panel">${pageTable(found.slice(0, maxRows), search === '' ? 'No pages have been published yet.' : `No pages with ${search} in their URL.`)}</div>
${found.length > maxRows && markup`<p class="soft">The newest ${maxRows} of ${found.length} pages. Filter to find others.</p>`}
</section>`;
  return consolePage('Publisher', '/publisher', content);
}

/** Renders a page of the publisher: what it answers at present, and who requested it. */
export function publishedPagePage(page: PublishedPage, requests: readonly PublisherRequest[]): string {
  const { status, headers, body, delayMs } = respondWithPage(page);
  const isHtml = page.html !== '' && String(body) !== '' && status < 300;
  const content = markup`<article class="panel letter short">
<div class="pad">
<div class="head"><h1 class="wrap">${page.url}</h1>${stateBadge(page)}</div>
<dl>
<dt>Status</dt><dd>${status}</dd>
${delayMs > 0 && markup`<dt>Delay</dt><dd>${delayMs / 1_000} s</dd>`}
${Object.entries(headers).map(([name, value]) => markup`<dt>${name}</dt><dd>${value}</dd>`)}
<dt>Published</dt><dd>${timeTag(page.publishedAt)} UTC</dd>
</dl>
<div class="foot">${changeForm(page)}</div>
</div>
${isHtml && markup`<iframe title="Page: ${page.url}" sandbox srcdoc="${String(body)}"></iframe>`}
${isHtml && markup`<details><summary>Source</summary><pre>${String(body)}</pre></details>`}
</article>
<section>
<div class="head"><h2>Requests</h2></div>
<div class="panel">${requestTable(requests.slice(-maxRows).reverse())}</div>
</section>`;
  return consolePage(page.url, '/publisher', content);
}

/** Returns the path of the page about a published page. */
export function publishedPagePath({ url }: Pick<PublishedPage, 'url'>): string {
  return `/publisher/page?url=${encodeURIComponent(url)}`;
}

const changeLabels = {
  lost: ['Link lost', 'bad', 'Lose the link'],
  nofollow: ['Nofollow', 'warn', 'Set nofollow'],
  noindex: ['Noindex', 'warn', 'Set noindex'],
  redirected: ['Redirected', 'bad', 'Redirect'],
  forbidden: ['Answers 403', 'warn', 'Answer 403'],
  hanging: ['Hangs', 'warn', 'Hang'],
} as const satisfies Record<PageChange, readonly [state: string, tone: 'warn' | 'bad', button: string]>;

function pageTable(pages: readonly PublishedPage[], emptyText: string): Markup {
  if (pages.length === 0) return markup`<p class="empty">${emptyText}</p>`;
  const rows = pages.map(
    (page) => markup`<tr>
<td><a class="subject" href="${publishedPagePath(page)}">${page.url}</a></td>
<td>${stateBadge(page)}</td>
<td class="soft">${timeTag(page.publishedAt)}</td>
<td class="right">${changeForm(page)}</td>
</tr>`,
  );
  return markup`<table><thead><tr><th scope="col">Page</th><th scope="col">State</th><th scope="col">Published (UTC)</th><th scope="col" class="right">Actions</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function stateBadge({ change, status, redirect }: PublishedPage): Markup {
  if (change !== null) return markup`<span class="badge ${changeLabels[change][1]}">${changeLabels[change][0]}</span>`;
  if (redirect !== null) return markup`<span class="badge">Redirect</span>`;
  return markup`<span class="badge ${status === 200 ? 'good' : 'warn'}">${status === 200 ? 'Online' : status}</span>`;
}

/** Renders one button for each change, except the present one; a changed page can be restored. */
function changeForm({ url, change }: PublishedPage): Markup {
  const buttons = Object.entries(changeLabels).flatMap(([name, [, , label]]) =>
    name === change
      ? []
      : [markup`<button class="button" type="submit" name="change" value="${name}">${label}</button>`],
  );
  return markup`<form class="acts" method="post" action="/controls/publisher">
<input type="hidden" name="url" value="${url}">${buttons}
${change !== null && markup`<button class="button main" type="submit" name="change" value="none">Restore</button>`}
</form>`;
}

function requestTable(requests: readonly PublisherRequest[]): Markup {
  if (requests.length === 0) return markup`<p class="empty">The page has not been requested yet.</p>`;
  const rows = requests.map(
    ({ method, headers, at }) => markup`<tr>
<td>${method}</td>
<td>${headers['user-agent'] ?? '(no User-Agent)'}</td>
<td class="right soft">${timeTag(at)}</td>
</tr>`,
  );
  return markup`<table><thead><tr><th scope="col">Method</th><th scope="col">User-Agent</th><th scope="col" class="right">Received (UTC)</th></tr></thead><tbody>${rows}</tbody></table>`;
}
