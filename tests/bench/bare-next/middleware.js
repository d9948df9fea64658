export function middleware() {
  // As instrumentation.js: LinkMarket's own would run before every answer. This one runs before none.
}

export const config = { matcher: '/none' };
