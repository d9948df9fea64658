import { NextResponse } from 'next/server';
import { z } from 'zod';
import { meResponses, meViews, sessionView, signInBody, signInResponse } from './contract';
import { findHome } from './portal-home';
import { type Portal, portals } from './portals';
import { endSession } from './revoke-access';
import { route } from './route';
import { signIn } from './sign-in';

/** Serves POST …/auth/login of a portal. */
export const loginRoute = (portal: Portal) =>
  route(
    {
      access: 'public',
      summary: 'Signs in and sets the session cookie.',
      response: signInResponse,
      errors: ['unauthenticated', 'forbidden', 'rate_limited'],
      body: signInBody,
    },
    async ({ body, ip, requestId, request }) => {
      const person = await signIn(portal, body, { ip, requestId, userAgent: request.headers.get('user-agent') ?? '' });
      return { user: sessionView(person), home: await findHome(portal, person) };
    },
  );

/** Serves POST …/auth/logout; the portals share one session. */
export const logoutRoute = () =>
  route(
    {
      access: 'public',
      summary: 'Signs out.',
      response: z.object({ ok: z.literal(true) }),
      responseHeaders: { 'Clear-Site-Data': 'Sent if a session was ended: `"cache", "storage"`.' },
    },
    async () => {
      const wasRunning = await endSession();
      // The sign-in page signs out first: without a session its storage must not be cleared.
      return NextResponse.json({ ok: true as const }, { headers: wasRunning ? clearSiteData : {} });
    },
  );

/** Serves GET …/auth/me of a portal: the signed-in user; 401 without one, 403 for a role without access to it. */
export const meRoute = (portal: Portal) =>
  route(
    {
      access: portals[portal].access,
      beforeTwoStep: true,
      summary: 'Returns the signed-in user.',
      response: meResponses[portal],
    },
    async ({ actor }) => meViews[portal](actor),
  );

/**
 * The header of a response that ends a session: the browser deletes the cache (including the back/forward cache) and
 * the storage of the site. Cookies are kept, because the device cookie (known-device.ts) prevents a mail about a new
 * device at each sign-in. components/shell/browser-storage.ts restores settings that belong to the device.
 */
export const clearSiteData = { 'Clear-Site-Data': '"cache", "storage"' };
