import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from './child';

/**
 * Waits until a URL responds with any status but a server error.
 * @throws Error with the child's last lines when it ends first, or after `patienceMs`
 */
export async function waitForHttp(url: string, child: Child, patienceMs = 60_000): Promise<void> {
  const deadline = Date.now() + patienceMs;
  let last = 'no response';
  while (Date.now() < deadline) {
    if (child.hasExited()) throw new Error(`The ${child.name} did not start:\n${child.tail()}`);
    try {
      const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(20_000) });
      await response.arrayBuffer();
      if (response.status < 500) return;
      last = `status ${response.status}`;
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    await sleep(50);
  }
  throw new Error(`The ${child.name} does not respond at ${url} (${last}):\n${child.tail()}`);
}
