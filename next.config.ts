import type { NextConfig } from 'next';

/** Headers every answer carries; the Content-Security-Policy of pages, with its nonce, is set in middleware.ts. */
const securityHeaders = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' },
  { key: 'Permissions-Policy', value: 'camera=(), microphone=(), geolocation=(), payment=()' },
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
];

/**
 * Of answers that are no pages: they load nothing, run nothing and are framed by nothing, whatever they hold. Of two
 * values for one header Next.js sends this one, so no handler sets its own.
 */
const answerPolicy = {
  key: 'Content-Security-Policy',
  value: "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
};

/** The shipped fonts as the server reads them (lib/serp/font-metrics.ts); the bundler cannot see that it does. */
const fontFiles = ['arimo', 'roboto'].flatMap((font) => [
  `node_modules/@fontsource/${font}/unicode.json`,
  `node_modules/@fontsource/${font}/files/*-400-normal.woff`,
]);

/** Older addresses of the admin area (decision 7). Where they lead decides who may come in. */
const olderAddresses = [
  { source: '/dashboard/users', destination: '/dashboard/features/users' },
  ...['/dashboard/tools', '/dashboard/seo', '/dashboard/features/:tool(seo|ai|keyword|serp|link|onpage)-tools'].map(
    (path) => ({ source: `${path}/:rest*`, destination: '/dashboard/features/serp-preview' }),
  ),
];

const config: NextConfig = {
  // Tests, the demo and development may build side by side from one tree.
  distDir: process.env.NEXT_DIST_DIR ?? '.next',
  // Set by scripts/build/ensure-build.ts alone, where `npm test` has checked the types before.
  typescript: { ignoreBuildErrors: process.env.SKIP_TYPE_CHECK === '1' },
  poweredByHeader: false,
  // Whoever hears a page knows it by its title, so it comes in the head, for everybody: it waits for nothing that the
  // page's frame does not wait for. For browsers Next.js would send it later, and a page would have none until then.
  htmlLimitedBots: /.*/,
  reactStrictMode: true,
  // Pictures go out as they are kept: the optimiser would be one more address that fetches and decodes what it is told.
  images: { unoptimized: true },
  // Development would print the arguments of server actions, and with them passwords.
  logging: { serverFunctions: false },
  // Native or CommonJS-only packages that the bundler must leave alone.
  serverExternalPackages: ['@node-rs/argon2', '@paypal/checkout-server-sdk', 'fontkit'],
  outputFileTracingIncludes: {
    '/api/tools/seo/suggest': fontFiles,
    '/dashboard/features/serp-preview': fontFiles,
  },
  experimental: {
    // At every start the server would load all pages, which keeps it from answering for two seconds; each is loaded when
    // it is first asked for.
    preloadEntriesOnStart: false,
    // It takes the title away when the address changes, until the answer is there (vercel/next.js#97702).
    optimisticRouting: false,
  },
  redirects: async () => olderAddresses.map((address) => ({ ...address, permanent: false })),
  headers: async () => [
    { source: '/:path*', headers: securityHeaders },
    { source: '/api/:path*', headers: [answerPolicy] },
    { source: '/dashboard/features/backup/upload', headers: [answerPolicy] },
    {
      source: '/:path*',
      has: [{ type: 'header', key: 'x-forwarded-proto', value: 'https' }],
      headers: [{ key: 'Strict-Transport-Security', value: 'max-age=31536000; includeSubDomains' }],
    },
  ],
};

export default config;
