import autocannon from 'autocannon';

export type Target = { url: string; headers?: Record<string, string>; connections: number };

/**
 * Requests one URL repeatedly for a slice of time.
 * @returns responses per second; 0 when none arrived in time, as in a first round that compiles
 * @throws Error when a response is not 200, because the rate of errors is meaningless
 */
export async function rateOf({ url, headers, connections }: Target, seconds: number): Promise<number> {
  const result = await autocannon({ url, headers, connections, duration: seconds, timeout: 30 });
  if (result.errors > 0 || result.non2xx > 0) {
    throw new Error(`${url}: ${result.errors} errors, ${result.non2xx} refusals`);
  }
  return result.requests.total / result.duration;
}
