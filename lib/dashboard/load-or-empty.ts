import { unstable_rethrow } from 'next/navigation';
import { log } from '@/lib/platform/log/log';

/**
 * Loads one section of a page. If loading fails, logs the error and returns the empty value, so that the rest of the page
 * is shown.
 * @param name the section, for the log
 */
export async function loadOrEmpty<T, Empty>(name: string, load: Promise<T>, empty: Empty): Promise<T | Empty> {
  return load.catch((cause: unknown) => {
    // Next.js implements redirects and similar control flow as exceptions.
    unstable_rethrow(cause);
    log().error({ err: cause }, `The ${name} could not be loaded.`);
    return empty;
  });
}
