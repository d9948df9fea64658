export function middleware() {
  // Like instrumentation.js: prevents the use of LinkMarket's middleware. The matcher matches no request of the
  // benchmark.
}

export const config = { matcher: '/none' };
