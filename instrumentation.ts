import type { Instrumentation } from 'next';

/** Runs once in every server process that starts; a build is none. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === 'nodejs' && process.env.NEXT_PHASE !== 'phase-production-build') {
    const [{ startServerProcess }, { startJobs }] = await Promise.all([
      import('./lib/platform/lifecycle/start-server-process'),
      import('./lib/jobs/start'),
    ]);
    startServerProcess(startJobs);
  }
}

/** Next.js calls it for a failure that it answers itself, e.g. of a page. */
export const onRequestError: Instrumentation.onRequestError = async (thrown, request, failed) => {
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { logPageFailure } = await import('./lib/platform/log/log-page-failure');
    logPageFailure(thrown, request, failed);
  }
};
