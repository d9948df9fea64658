import { consolePage } from './console';
import { markup } from './markup';

/** Renders a 404 page with a link to the overview. */
export function notFoundPage(title: string): string {
  return consolePage(
    title,
    null,
    markup`<div class="panel empty"><h1>${title}</h1><p><a href="/">Go to the overview</a></p></div>`,
  );
}
