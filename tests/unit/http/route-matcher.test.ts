import { expect, it, vi } from 'vitest';
import { createRouteMatcher } from '@/lib/platform/http/log-requests';

it('a process without the list of routes, such as the middleware on Vercel, starts and logs no requests', () => {
  vi.stubEnv('NEXT_DIST_DIR', 'no-such-folder');
  expect(createRouteMatcher()).toBeNull();
  vi.unstubAllEnvs();
});
