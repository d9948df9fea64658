import { log } from '../log/log';
import { type Branding, defaultBranding } from './branding';
import { getBranding } from './get-branding';

let lastKnown: Branding = defaultBranding;

/**
 * Branding for the outermost frame, which stands even when the database does not: the page that says so is shown in it.
 * @returns what was last known where the database does not answer
 */
export async function frameBranding(): Promise<Branding> {
  try {
    lastKnown = await getBranding();
  } catch (thrown) {
    log().error({ err: thrown }, 'Branding could not be read.');
  }
  return lastKnown;
}
