import { deskPage } from './desk';
import { markup } from './markup';

/** A 404 page with a link to the overview. */
export function missingPage(title: string): string {
  return deskPage(
    title,
    null,
    markup`<div class="panel empty"><h1>${title}</h1><p><a href="/">Go to the overview</a></p></div>`,
  );
}
