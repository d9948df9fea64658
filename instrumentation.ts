import type { Instrumentation } from 'next';

/** Next.js calls it once in every server process. A build is not a server process. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === 'nodejs' && process.env.NEXT_PHASE !== 'phase-production-build') {
    const [{ startServerProcess }, { startJobs }, { loadTracing }] = await Promise.all([
      import('./lib/platform/lifecycle/start-server-process'),
      import('./lib/jobs/jobs'),
      import('./lib/platform/tracing/load-tracing'),
    ]);
    startServerProcess(startJobs, await loadTracing());
  }
}

/** Next.js calls it for an error that it handles itself, e.g. in a page. */
export const onRequestError: Instrumentation.onRequestError = async (thrown, request, failed) => {
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { logRequestError } = await import('./lib/platform/log/log-request-error');
    logRequestError(thrown, request, failed);
  }
};
