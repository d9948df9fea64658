import { availableParallelism } from 'node:os';
import type { NextConfig } from 'next';

/** Headers of every response. middleware.ts sets the Content-Security-Policy of pages, which contains a nonce. */
const securityHeaders = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' },
  { key: 'Permissions-Policy', value: 'camera=(), microphone=(), geolocation=(), payment=()' },
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
];

/**
 * For responses that are not pages: they load nothing, run nothing and cannot be framed, whatever they contain. When a
 * handler sets the same header, Next.js sends this value, so handlers do not set it.
 */
const apiContentSecurityPolicy = {
  key: 'Content-Security-Policy',
  value: "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
};

/**
 * For client reports, which contain no script. Only their own address is sent as Referer: with `no-referrer`, the form of
 * the password would have no origin.
 */
const reportHeaders = [
  {
    key: 'Content-Security-Policy',
    value:
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  },
  { key: 'Referrer-Policy', value: 'same-origin' },
  { key: 'X-Robots-Tag', value: 'noindex, nofollow' },
];

/** For the page behind the link of an order request. Its address is a secret, which no other page learns. */
const approvalHeaders = reportHeaders.map(({ key, value }) => ({
  key,
  value: key === 'Referrer-Policy' ? 'no-referrer' : value,
}));

/** Font files that the server reads at run time; the bundler cannot detect them. These are of lib/serp/font-metrics.ts. */
const fontFiles = ['arimo', 'roboto'].flatMap((font) => [
  `node_modules/@fontsource/${font}/unicode.json`,
  `node_modules/@fontsource/${font}/files/*-400-normal.woff`,
]);

/** The font files of documents (lib/platform/pdf/fonts.ts): 23 MB, most of them for Han characters. */
const documentFonts = [
  'node_modules/@fontsource/roboto/files/*-400-normal.woff',
  'node_modules/@fontsource-variable/noto-*/unicode.json',
  'node_modules/@fontsource-variable/noto-*/files/*-wght-normal.woff2',
];

/** Old URLs of the admin area. The target page checks access. */
const legacyRedirects = [
  { source: '/dashboard/users', destination: '/dashboard/features/users' },
  ...['/dashboard/tools', '/dashboard/seo', '/dashboard/features/:tool(seo|ai|keyword|serp|link|onpage)-tools'].map(
    (path) => ({ source: `${path}/:rest*`, destination: '/dashboard/features/serp-preview' }),
  ),
];

/** Set by scripts/build/ensure-build.ts for the demo and the tests. The app is the same. */
const isLocalBuild = process.env.LOCAL_BUILD === '1';

const config: NextConfig = {
  // Lets tests, the demo and development build in parallel from one working tree.
  distDir: process.env.NEXT_DIST_DIR ?? '.next',
  // `npm test` checks the types in a suite, also before an image is built.
  typescript: { ignoreBuildErrors: isLocalBuild || process.env.SKIP_TYPE_CHECK === '1' },
  poweredByHeader: false,
  // Puts the title into the head for every user agent, because screen readers announce a page by its title. By default
  // Next.js streams metadata to browsers after the first HTML.
  htmlLimitedBots: /.*/,
  reactStrictMode: true,
  // Images are served as stored. The optimizer would be another endpoint that fetches and decodes URLs from requests.
  images: { unoptimized: true },
  // Development would log the arguments of server actions, which include passwords, and the address to which WordPress
  // returns, with the password that it created.
  logging: { serverFunctions: false, incomingRequests: { ignore: [/\/wordpress\/connect/] } },
  // Native or CommonJS-only packages that the bundler cannot process.
  // prom-client keeps its registry in the module, which the instrumentation and the routes must share. OpenTelemetry is
  // loaded from node_modules, and only if the environment names a collector.
  serverExternalPackages: [
    '@node-rs/argon2',
    '@opentelemetry/exporter-trace-otlp-proto',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-trace-node',
    '@paypal/checkout-server-sdk',
    'fontkit',
    'pdfkit',
    'prom-client',
  ],
  outputFileTracingIncludes: {
    // pdfkit reads the color profile of PDF/A.
    '/api/invoices/**': [...documentFonts, 'node_modules/pdfkit/js/data/*.icc'],
    '/api/tools/seo/suggest': fontFiles,
    '/dashboard/features/serp-preview': fontFiles,
    '/reports/**': documentFonts,
    '/seller/earnings/pdf': documentFonts,
    '/api/user/**': documentFonts,
    '/api/wallet/topup/bank/**': documentFonts,
    // app/developers/_components/section.tsx
    '/developers': ['examples/*'],
  },
  experimental: {
    // Writing the compiler's cache takes a third of the time of a first build, and 500 MB.
    ...(isLocalBuild && {
      turbopackMinify: { server: false },
      turbopackFileSystemCacheForBuild: false,
      turbopackSourceMaps: false,
      cpus: availableParallelism(),
    }),
    // Loads each page on its first request. Preloading all of them delays the first response of a new server by two
    // seconds.
    preloadEntriesOnStart: false,
    // It removes the title after a navigation until the response arrives (vercel/next.js#97702).
    optimisticRouting: false,
  },
  redirects: async () => legacyRedirects.map((address) => ({ ...address, permanent: false })),
  headers: async () => [
    { source: '/:path*', headers: securityHeaders },
    { source: '/api/:path*', headers: [apiContentSecurityPolicy] },
    { source: '/reports/:path*', headers: reportHeaders },
    { source: '/approve/:path*', headers: approvalHeaders },
    { source: '/dashboard/features/backup/upload', headers: [apiContentSecurityPolicy] },
    {
      source: '/:path*',
      has: [{ type: 'header', key: 'x-forwarded-proto', value: 'https' }],
      headers: [{ key: 'Strict-Transport-Security', value: 'max-age=31536000; includeSubDomains' }],
    },
  ],
};

export default config;
