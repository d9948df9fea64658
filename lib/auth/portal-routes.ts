import { NextResponse } from 'next/server';
import { z } from 'zod';
import { route } from '../http/route';
import { meAnswers, signInAnswer } from './answers';
import { endSession } from './end-session';
import { forgetPerson } from './forget-person';
import { type Portal, portals } from './portals';
import { signInBody } from './schemas';
import { signIn } from './sign-in';
import { meViews, sessionView } from './views';

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
