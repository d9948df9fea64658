import autocannon from 'autocannon';

export type Target = { url: string; headers?: Record<string, string>; connections: number };

/**
 * Asks one address over and over for a slice of time.
 * @returns answers a second; 0 when none came in time, as happens in a first round that compiles
 * @throws Error when an answer is not 200: a rate of refusals says nothing
 */
export async function rateOf({ url, headers, connections }: Target, seconds: number): Promise<number> {
  const result = await autocannon({ url, headers, connections, duration: seconds, timeout: 30 });
  if (result.errors > 0 || result.non2xx > 0) {
    throw new Error(`${url}: ${result.errors} errors, ${result.non2xx} refusals`);
  }
  return result.requests.total / result.duration;
}
