import { relativeTime } from './relative-time';

/** Makes every TimeAgo of the page true again, and its title the reader's time. */
export function tickTimes(): void {
  const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });
  for (const element of document.querySelectorAll<HTMLTimeElement>('time[data-time-ago]')) {
    const at = Date.parse(element.dateTime);
    const text = relativeTime(at, Date.now());
    element.title = local.format(at);
    // The text node itself, which React goes on owning.
    if (element.firstChild && element.firstChild.nodeValue !== text) element.firstChild.nodeValue = text;
  }
}
