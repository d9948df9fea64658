import 'server-only';
import type { NextRequest } from 'next/server';
import { NextResponse } from 'next/server';
import { mayAccess } from '@/lib/access/authorize';
import { findActor } from '@/lib/auth/current-actor';
import { isTwoStepOverdue } from '@/lib/auth/two-step';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { completeConnection } from './connect';
import type { CallbackQuery, ConnectResult } from './contract';

/**
 * Completes a connection and redirects the browser to My Sites. The address of the request contains a password: neither the
 * redirect nor a sign-in page repeats it, no page of ours is shown at it, and it is not sent on as a referrer.
 */
export async function returnFromWordPress(
  request: NextRequest,
  siteId: number,
  query: CallbackQuery,
  ip: string,
): Promise<NextResponse> {
  const target = new URL('/seller/my-sites', env().APP_URL);
  target.searchParams.set('wordpress', String(siteId));
  target.searchParams.set('result', await complete(request, siteId, query, ip));
  const response = NextResponse.redirect(target, 302);
  response.headers.set('Referrer-Policy', 'no-referrer');
  response.headers.set('Cache-Control', 'no-store');
  return response;
}

async function complete(
  request: NextRequest,
  siteId: number,
  query: CallbackQuery,
  ip: string,
): Promise<ConnectResult> {
  try {
    const { actor } = await findActor(request);
    if (!actor) await consumeLimit('wordpress', { account: '', address: ip });
    if (!actor || actor.token || actor.viewing || !mayAccess(actor, 'seller') || isTwoStepOverdue(actor))
      return 'expired';
    return await completeConnection(actor, siteId, query);
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    return thrown.code === 'rate_limited' ? 'limited' : 'expired';
  }
}
