import { isFarWider, measureWidth } from './font-metrics';
import { type SerpPart, serpDevices, serpLines } from './limits';
import { trimToWidth } from './trim';

/** Shortens a text to what desktop and mobile both show of it. */
export function fitEverywhere(part: SerpPart, text: string): string {
  return trimToWidth(text, 1, (candidate) => fullest(part, candidate));
}

/** Do desktop and mobile both show all of it? */
export function fitsEverywhere(part: SerpPart, text: string): boolean {
  return fullest(part, text) <= 1;
}

/** A text's width as a share of the limit of the device that shows least of it; infinite when it is far beyond. */
function fullest(part: SerpPart, text: string): number {
  const lines = serpDevices.map((device) => serpLines[device][part]);
  if (lines.some((line) => isFarWider(text, line))) return Number.POSITIVE_INFINITY;
  return Math.max(...lines.map((line) => measureWidth(text, line) / line.limitPx));
}
