import { consoleStyle } from './console-style';
import { renderDocument } from './document';
import { type Markup, markup } from './markup';

const places = [
  ['/', 'Overview'],
  ['/sessions', 'Payments'],
  ['/inbox', 'Inbox'],
  ['/deliveries', 'Deliveries'],
  ['/publisher', 'Publisher'],
  ['/scan', 'Scan'],
] as const;

/** Renders a page of the gateway with its navigation. @param here the path of the active navigation entry */
export function consolePage(title: string, here: (typeof places)[number][0] | null, content: Markup): string {
  const links = places.map(
    ([href, label]) => markup`<a href="${href}"${href === here && markup` aria-current="page"`}>${label}</a>`,
  );
  const body = markup`<header class="bar">
<strong>LinkMarket gateway <span class="badge warn">Sandbox</span></strong>
<nav aria-label="Gateway">${links}</nav>
</header>
<main class="desk">
${content}
</main>`;
  return renderDocument(`${title} · LinkMarket gateway`, consoleStyle, body);
}

/** Renders "2026-03-04 12:30:05" in UTC; without scripts the user's time zone is unknown. */
export function timeTag(iso: string): Markup {
  return markup`<time class="nowrap" datetime="${iso}" title="UTC">${iso.slice(0, 19).replace('T', ' ')}</time>`;
}

/** Renders a button that posts to a control and returns to the page. */
export function postButton(action: string, label: string): Markup {
  return markup`<form method="post" action="${action}"><button class="button" type="submit">${label}</button></form>`;
}
