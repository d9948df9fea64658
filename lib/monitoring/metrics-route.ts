import { bearerToken } from '@/lib/auth/current-actor';
import { route } from '@/lib/auth/route';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { formatClusterMetrics } from '@/lib/platform/metrics/cluster-metrics';
import { isEqualConstantTime } from '@/lib/platform/secrets';
import { formatInstallationMetrics } from './installation-metrics';

/** The version of the text format that every Prometheus since 2014 reads. */
const mediaType = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * The route /api/metrics for Prometheus. Each of METRICS_ADDRESSES and METRICS_TOKEN that is set must be met. Without
 * either, and for a caller from another address, it does not exist.
 */
export const createMetricsRoute = () =>
  route(
    {
      access: 'public',
      summary: 'Returns the metrics of the processes and the installation for Prometheus.',
      response: { mediaTypes: ['text/plain'] },
      errors: ['unauthenticated', 'not_found'],
      proof: 'metrics token',
    },
    async ({ request, ip }) => {
      const { METRICS_TOKEN, METRICS_ADDRESSES } = env();
      const isAdmitted = METRICS_ADDRESSES?.has(ip) ?? METRICS_TOKEN !== undefined;
      if (!isAdmitted) throw new AppError('not_found', 'No endpoint exists at this path.');
      if (METRICS_TOKEN !== undefined) {
        const given = bearerToken(request.headers.get('authorization')) ?? '';
        if (!isEqualConstantTime(given, METRICS_TOKEN)) {
          throw new AppError('unauthenticated', 'The metrics token is missing or incorrect.');
        }
      }
      const [processes, installation] = await Promise.all([formatClusterMetrics(), formatInstallationMetrics()]);
      return new Response(`${processes}\n${installation}`, { headers: { 'Content-Type': mediaType } });
    },
  );
