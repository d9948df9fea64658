import type { Metadata, Viewport } from 'next';
import localFont from 'next/font/local';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { DocumentParts } from '@/components/shell/document-parts';
import { ThemeScript } from '@/components/shell/theme-toggle';
import { currentActor } from '@/lib/auth/current-actor';
import { portals } from '@/lib/auth/portals';
import { env } from '@/lib/env';
import { directUploadsMeta, getDirectUploadOrigin } from '@/lib/network/direct-uploads';
import type { Branding } from '@/lib/settings/branding/branding';
import { brandStyle } from '@/lib/settings/branding/colors';
import { getLayoutBranding } from '@/lib/settings/branding/get-branding';
import './globals.css';

const inter = localFont({
  src: '../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  weight: '100 900',
  variable: '--font-inter',
  // A page keeps the font of its first paint, because a late font swap shifts the layout.
  display: 'optional',
});

// Pages depend on the request's nonce and the current branding. The database is also unavailable at build time.
export const dynamic = 'force-dynamic';

export async function generateMetadata(): Promise<Metadata> {
  const { siteName, tagline, logo } = await loadBranding();
  return {
    // Next.js replaces %s with the page's title.
    title: { default: siteName, template: `%s · ${siteName.replaceAll('%s', '')}` },
    description: tagline || 'A marketplace for SEO link placements, paid from a prepaid wallet.',
    icons: { icon: logo ? { url: logo.path } : { url: '/favicon.svg', type: 'image/svg+xml' } },
  };
}

/** On the pages of the portals, the query of the session also reads the version of the settings. */
async function loadBranding(): Promise<Branding> {
  const path = (await headers()).get('x-path') ?? '';
  if (Object.values(portals).some(({ home }) => path.startsWith(home))) await currentActor().catch(() => null);
  return getLayoutBranding();
}

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f8f8fa' },
    { media: '(prefers-color-scheme: dark)', color: '#0d0d10' },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  return (
    // ThemeScript sets data-theme before hydration, and the layout of the console data-folds.
    <html lang="en" className={inter.variable} style={brandStyle(await loadBranding())} suppressHydrationWarning>
      <head>
        <ThemeScript nonce={nonce} />
        {getDirectUploadOrigin(env()) ? <meta name={directUploadsMeta} content={env().VERCEL ? 'only' : 'on'} /> : null}
        {/* Where supported, delays the first paint until the whole layout has arrived, to avoid a layout shift. */}
        <link rel="expect" href="#whole" blocking="render" />
      </head>
      <body>
        {children}
        <span id="whole" hidden />
        <DocumentParts />
      </body>
    </html>
  );
}
