import type { NextConfig } from 'next';

/** Headers every answer carries; the Content-Security-Policy with its nonce is set per request in middleware.ts. */
const securityHeaders = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' },
  { key: 'Permissions-Policy', value: 'camera=(), microphone=(), geolocation=(), payment=()' },
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
];

const config: NextConfig = {
  // Tests, the demo and development may build side by side from one tree.
  distDir: process.env.NEXT_DIST_DIR ?? '.next',
  poweredByHeader: false,
  reactStrictMode: true,
  // Development would print the arguments of server actions, and with them passwords.
  logging: { serverFunctions: false },
  // Native or CommonJS-only packages that the bundler must leave alone.
  serverExternalPackages: ['@node-rs/argon2', '@paypal/checkout-server-sdk'],
  headers: async () => [
    { source: '/:path*', headers: securityHeaders },
    {
      source: '/:path*',
      has: [{ type: 'header', key: 'x-forwarded-proto', value: 'https' }],
      headers: [{ key: 'Strict-Transport-Security', value: 'max-age=31536000; includeSubDomains' }],
    },
  ],
};

export default config;
