import { type NextRequest, NextResponse } from 'next/server';

/**
 * A courtesy, not the boundary: sends people without any session cookie to their sign-in before a page is rendered,
 * tells pages their own path, and sets the Content-Security-Policy with a nonce. Pages, handlers and actions decide
 * for themselves, against the database.
 */
export function middleware(request: NextRequest): NextResponse {
  const { pathname, search } = request.nextUrl;
  const signIn = signInPageOf(pathname);
  if (signIn && !request.headers.has('authorization') && !hasSessionCookie(request)) {
    const target = new URL(signIn, request.url);
    target.searchParams.set('next', pathname + withoutRouterMarks(search));
    const redirect = NextResponse.redirect(target, 307);
    redirect.headers.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
    return withTransportSecurity(redirect);
  }

  // 128 random bits, as short as they can be written: the nonce stands at every script and style of the page.
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
  const policy = contentSecurityPolicy(nonce);
  const headers = new Headers(request.headers);
  headers.set('x-nonce', nonce);
  headers.set('x-path', pathname + withoutRouterMarks(search));
  headers.set('Content-Security-Policy', policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('Content-Security-Policy', policy);
  response.headers.set('Reporting-Endpoints', `csp="${reportsPath}"`);
  return withTransportSecurity(response);
}

/**
 * Where people use https, browsers shall never try anything else. Decided by APP_URL, so that a proxy that does not say
 * X-Forwarded-Proto (which next.config.ts goes by, for everything but pages) cannot take it away.
 */
function withTransportSecurity(response: NextResponse): NextResponse {
  if (process.env.APP_URL?.startsWith('https://')) {
    response.headers.set('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
  }
  return response;
}

/** The sign-in page of a guarded path, or null for a public one. */
function signInPageOf(pathname: string): string | null {
  if (/^\/dashboard(\/|$)/.test(pathname)) return '/admin/login';
  if (/^\/user(\/|$)/.test(pathname) && !/^\/user\/(login|forgot)$/.test(pathname)) return '/user/login';
  if (/^\/seller(\/|$)/.test(pathname) && !/^\/seller\/(login|forgot)$/.test(pathname)) return '/seller/login';
  return null;
}

/** By its beginning (lib/auth/session-token.ts): which one counts is for the page to decide. */
function hasSessionCookie(request: NextRequest): boolean {
  return request.cookies.getAll().some(({ name }) => /^(__Host-)?linkmarket\.session/.test(name));
}

/** The router adds `_rsc` to its own requests; nobody wants to come back to that. */
function withoutRouterMarks(search: string): string {
  const params = new URLSearchParams(search);
  params.delete('_rsc');
  return params.size > 0 ? `?${params}` : '';
}

/** Where browsers report what the policy refused (app/api/csp-reports). */
const reportsPath = '/api/csp-reports';

function contentSecurityPolicy(nonce: string): string {
  // React's development build evaluates code to show stacks; production needs none of it.
  const development = process.env.NODE_ENV === 'development' ? " 'unsafe-eval'" : '';
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development}`,
    // Inline style attributes carry positions of menus and widths of bars; no script can come in through them.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    // Firefox and Safari know the first only; a browser that knows the second ignores the first.
    `report-uri ${reportsPath}`,
    'report-to csp',
  ].join('; ');
}

export const config = {
  // In the server's own process: the sandbox of the edge runtime cost a sixth of what a page costs.
  runtime: 'nodejs',
  // Pages only, and every page: the API answers 401 by itself, and the files of public/ and the build need no policy.
  // Nor where archives arrive: Next.js keeps a body for the middleware in memory, and cuts it off after 10 MB.
  matcher: ['/((?!api/|_next/static/|_next/image|favicon\\.svg$|dashboard/features/backup/upload$).*)'],
};
