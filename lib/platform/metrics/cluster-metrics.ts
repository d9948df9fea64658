import cluster from 'node:cluster';
import { once } from 'node:events';
import { AggregatorRegistry, register } from 'prom-client';
import { z } from 'zod';
import { processNumber } from '@/lib/env';
import { log } from '@/lib/platform/log/log';

/** Prometheus waits ten seconds by default; the primary gives up after five. */
const timeoutMs = 6_000;

const request = z.object({ linkmarketMetrics: z.literal('request') });
const answer = z.object({ linkmarketMetrics: z.literal('answer'), text: z.string().nullable() });

/**
 * Prepares a process of a cluster (WEB_CONCURRENCY): its series get the label `process`, because a counter that is
 * summed over several processes would seem to be reset when one of them restarts.
 */
export function joinClusterMetrics(): void {
  const number = processNumber();
  if (number === null) return;
  register.setDefaultLabels({ process: number });
  // Answers the primary's requests for the metrics of this process.
  new AggregatorRegistry();
}

/**
 * Lets the primary of a cluster answer `formatClusterMetrics` of its processes.
 * @param report receives the reason when the processes did not answer
 */
export function serveClusterMetrics(report: (reason: string) => void): void {
  const registry = new AggregatorRegistry();
  cluster.on('message', async (worker, message: unknown) => {
    if (!request.safeParse(message).success) return;
    const text = await registry.clusterMetrics().catch((thrown: unknown) => {
      report(`Metrics: not all processes answered. ${thrown instanceof Error ? thrown.message : String(thrown)}`);
      return null;
    });
    if (worker.isConnected()) worker.send({ linkmarketMetrics: 'answer', text } satisfies z.infer<typeof answer>);
  });
}

/**
 * Returns the metrics of all processes that share this one's port, in Prometheus's text format; without a cluster, and
 * if the others do not answer in time, those of this process.
 */
export async function formatClusterMetrics(): Promise<string> {
  if (processNumber() === null) return register.metrics();
  const late = AbortSignal.timeout(timeoutMs);
  process.send?.({ linkmarketMetrics: 'request' } satisfies z.infer<typeof request>);
  try {
    for (;;) {
      const [message] = await once(process, 'message', { signal: late });
      const { data } = answer.safeParse(message);
      if (data) return data.text ?? register.metrics();
    }
  } catch (thrown) {
    log().warn({ err: thrown }, 'Metrics: the other processes did not answer in time.');
    return register.metrics();
  }
}
