import { NextResponse } from 'next/server';
import { z } from 'zod';
import { endSession } from './end-sessions';
import { type Portal, portals } from './portals';
import { route } from './route';
import { signInBody } from './schemas';
import { signIn } from './sign-in';
import { meAnswers, meViews, sessionView, signInAnswer } from './views';

/** POST …/auth/login of a portal. */
export const loginRoute = (portal: Portal) =>
  route(
    {
      access: 'public',
      summary: 'Signs in and sets the session cookie.',
      answer: signInAnswer,
      errors: ['unauthenticated', 'forbidden', 'rate_limited'],
      body: signInBody,
    },
    async ({ body, ip, requestId, request }) => {
      const person = await signIn(portal, body, { ip, requestId, userAgent: request.headers.get('user-agent') ?? '' });
      return { user: sessionView(person) };
    },
  );

/** POST …/auth/logout; the portals share one session. */
export const logoutRoute = () =>
  route(
    {
      access: 'public',
      summary: 'Signs out.',
      answer: z.object({ ok: z.literal(true) }),
      answerHeaders: { 'Clear-Site-Data': 'Where a running session was ended: `"cache", "storage"`.' },
    },
    async () => {
      const wasRunning = await endSession();
      // The sign-in page signs out first: without a session nothing is taken from the page.
      return NextResponse.json({ ok: true as const }, { headers: wasRunning ? forgetPerson : {} });
    },
  );

/** GET …/auth/me of a portal: who is signed in, or 401, or 403 for a role this portal does not admit. */
export const meRoute = (portal: Portal) =>
  route(
    { access: portals[portal].access, beforeTwoStep: true, summary: 'Who is signed in.', answer: meAnswers[portal] },
    async ({ actor }) => meViews[portal](actor),
  );

/**
 * The header of an answer that ends a session: the browser deletes what pages of the person left in its cache (also in
 * the back/forward cache) and in its storage. Not "cookies": the cookie that tells a known device from a new one stays
 * (known-device.ts), or each sign-in would be mailed as one on a new device. What a browser keeps for the device
 * rather than for a person, components/shell/keep-preferences.ts puts back.
 */
export const forgetPerson = { 'Clear-Site-Data': '"cache", "storage"' };
