/** Runs once in every server process that starts; a build is none. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === 'nodejs' && process.env.NEXT_PHASE !== 'phase-production-build') {
    const [{ env }, { startJobs }] = await Promise.all([import('./lib/env'), import('./lib/jobs/start')]);
    // next-auth derives its own addresses and the security of its cookies from this variable, and reads it by itself.
    process.env.NEXTAUTH_URL ??= env().APP_URL;
    if (env().JOBS === 'on') startJobs();
  }
}
