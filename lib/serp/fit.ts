import { measureWidth } from './font-metrics';
import { type SerpPart, serpDevices, serpLines } from './limits';
import { trimToWidth } from './trim';

/** Shortens a text to what desktop and mobile both show of it. */
export function fitEverywhere(part: SerpPart, text: string): string {
  // As shares of each device's limit: the fullest of them counts.
  return trimToWidth(text, 1, (candidate) =>
    Math.max(
      ...serpDevices.map((device) => {
        const line = serpLines[device][part];
        return measureWidth(candidate, line) / line.limitPx;
      }),
    ),
  );
}
