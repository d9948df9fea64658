import type { Instrumentation } from 'next';

/** Runs once in every server process that starts; a build is none. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === 'nodejs' && process.env.NEXT_PHASE !== 'phase-production-build') {
    const { startServerProcess } = await import('./lib/health/start-server-process');
    startServerProcess();
  }
}

/** Next.js calls it for a failure that it answers itself, e.g. of a page. */
export const onRequestError: Instrumentation.onRequestError = async (thrown, request, failed) => {
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { logPageFailure } = await import('./lib/log/log-page-failure');
    logPageFailure(thrown, request, failed);
  }
};
