import { unstable_rethrow } from 'next/navigation';
import { log } from '../platform/log/log';

/**
 * One part of a landing page. When its data cannot be loaded the part shows as empty and the rest of the page stands
 * (spec 001, section 2); the failure goes to the server's log.
 * @param name what could not be loaded, for the log
 */
export async function partOrEmpty<T, Empty>(name: string, load: Promise<T>, empty: Empty): Promise<T | Empty> {
  return load.catch((cause: unknown) => {
    // Redirects and the like travel as exceptions and are no failure.
    unstable_rethrow(cause);
    log().error({ err: cause }, `The ${name} could not be loaded.`);
    return empty;
  });
}
