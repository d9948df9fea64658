import { type NextRequest, NextResponse } from 'next/server';
import { accountCookie, accountParam } from './lib/access/account-choice';
import { limitReturnPath, type Portal, portals } from './lib/auth/portals';
import { decodeSessionToken, sessionCookieName } from './lib/auth/session-token';
import { getDirectUploadOrigin } from './lib/network/direct-uploads';

/**
 * Redirects visitors of a portal's pages without a valid session or without the portal's role to its sign-in page,
 * passes the path to the page, and sets the Content-Security-Policy with a nonce. It is not the security boundary:
 * pages, route handlers and actions check the session and its permissions against the database.
 */
export async function middleware(request: NextRequest): Promise<NextResponse> {
  const { pathname, search } = request.nextUrl;
  const portal = findPortal(pathname);
  if (portal && !(await isAdmitted(request, portal))) {
    const target = new URL(portals[portal].signIn, request.url);
    target.searchParams.set('next', limitReturnPath(pathname + removeRouterParams(search)));
    const redirect = NextResponse.redirect(target, 307);
    redirect.headers.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
    return withTransportSecurity(redirect);
  }

  if (portal === 'user' && request.nextUrl.searchParams.has(accountParam)) return openUnderAccount(request);

  // 128 random bits in the shortest encoding: the nonce is repeated on every script and style of the page.
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
  const policy = contentSecurityPolicy(nonce);
  const headers = new Headers(request.headers);
  headers.set('x-nonce', nonce);
  headers.set('x-path', pathname + removeRouterParams(search));
  headers.set('Content-Security-Policy', policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('Content-Security-Policy', policy);
  response.headers.set('Reporting-Endpoints', `csp="${reportsPath}"`);
  return withTransportSecurity(response);
}

/**
 * Chooses the account that a link names, e.g. of a mail, and opens its page. An account of which the person is no member
 * chooses the personal one (lib/auth/current-actor.ts).
 */
function openUnderAccount(request: NextRequest): NextResponse {
  const target = request.nextUrl.clone();
  const accountId = target.searchParams.get(accountParam) ?? '';
  target.searchParams.delete(accountParam);
  const redirect = NextResponse.redirect(target, 307);
  redirect.headers.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  redirect.headers.set('Cache-Control', 'no-store');
  redirect.cookies.set(accountCookie, accountId, {
    path: '/',
    sameSite: 'lax',
    secure: process.env.APP_URL?.startsWith('https://') ?? false,
    maxAge: accountCookieSeconds,
  });
  return withTransportSecurity(redirect);
}

/** A year. */
const accountCookieSeconds = 365 * 24 * 60 * 60;

/**
 * Adds HSTS when APP_URL uses https. Reading APP_URL keeps the header when a proxy omits X-Forwarded-Proto, on which
 * next.config.ts relies for all other responses.
 */
function withTransportSecurity(response: NextResponse): NextResponse {
  if (process.env.APP_URL?.startsWith('https://')) {
    response.headers.set('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
  }
  return response;
}

/** Finds the portal of a protected path; null for a public one. */
function findPortal(pathname: string): Portal | null {
  if (/^\/(user|seller)\/(login|forgot)$/.test(pathname)) return null;
  const [, first] = pathname.split('/');
  if (first === 'dashboard') return 'admin';
  return first === 'user' || first === 'seller' ? first : null;
}

/** The route handlers among the pages of the portals. */
const handlers = /\/(download|export|file|pdf|template)$/;

/**
 * Whether the request passes to the portal. Only a redirect that the page would make too is made here: a role that was
 * lost since the sign-in passes, and a role that was gained since then is found in the database.
 */
async function isAdmitted(request: NextRequest, portal: Portal): Promise<boolean> {
  if (request.headers.has('authorization')) return true;
  if (!hasSessionCookie(request)) return false;
  // Server actions and route handlers respond to an invalid session with a status, on which the page signs in again.
  if (!['GET', 'HEAD'].includes(request.method) || handlers.test(request.nextUrl.pathname)) return true;
  const claims = await decodeSessionToken(request.cookies.get(sessionCookieName())?.value ?? '');
  if (!claims) return false;
  if (claims.portals.includes(portal)) return true;
  // Loaded for a refusal only. Without the database the page shows the failure.
  const { mayOpenPortal } = await import('./lib/auth/portal-access');
  return mayOpenPortal(claims.userId, claims.sessionId, portal).catch(() => true);
}

/** Matches the prefix of the cookie names, so that the cookie of another installation on this host counts too. */
function hasSessionCookie(request: NextRequest): boolean {
  return request.cookies.getAll().some(({ name }) => /^(__Host-)?linkmarket\.session/.test(name));
}

/** Removes `_rsc`, which the router adds to its own requests, from the return path. */
function removeRouterParams(search: string): string {
  const params = new URLSearchParams(search);
  params.delete('_rsc');
  return params.size > 0 ? `?${params}` : '';
}

/** Where browsers report violations of the policy (app/api/csp-reports). */
const reportsPath = '/api/csp-reports';

function contentSecurityPolicy(nonce: string): string {
  // React's development build evaluates code to show stacks; production does not.
  const development = process.env.NODE_ENV === 'development' ? " 'unsafe-eval'" : '';
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development}`,
    // Menu positions and bar widths are inline style attributes, which cannot load scripts.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    ['connect-src', "'self'", getDirectUploadOrigin(process.env) ?? []].flat().join(' '),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    // Firefox and Safari support report-uri only; a browser that supports report-to ignores report-uri.
    `report-uri ${reportsPath}`,
    'report-to csp',
  ].join('; ');
}

export const config = {
  // Runs in the server process: the sandbox of the edge runtime took a sixth of the time of a page.
  runtime: 'nodejs',
  // All pages. The API answers 401 without it, and static files need no policy; client reports and approvals have one of
  // their own (next.config.ts). The upload of backups is excluded:
  // Next.js buffers a body for the middleware in memory and truncates it after 10 MB.
  matcher: [
    '/((?!api/|reports/|approve/|_next/static/|_next/image|favicon\\.svg$|dashboard/features/backup/upload$).*)',
  ],
};
