import { notFound } from 'next/navigation';
import { ImageResponse } from 'next/og';
import { formatUsd } from '@/lib/money';
import { getBranding } from '@/lib/settings/branding/get-branding';
import { isFlagOn } from '@/lib/settings/feature-flags';
import { getPublicSummary } from '@/lib/sites/catalogue/public-summary';
import { pictureAlt, pictureSize } from './_components/explore-texts';

export const alt = pictureAlt;
export const size = pictureSize;
export const contentType = 'image/png';
/** Read per request: flag and figures change while the app runs, and a build has no database. */
export const dynamic = 'force-dynamic';

/**
 * Renders the Open Graph picture of the public catalog, in the operator's colors.
 * Source of the size: https://ogp.me and the documentation of X and LinkedIn, 1200 × 630.
 */
export default async function Picture(): Promise<Response> {
  if (!(await isFlagOn('public-catalogue'))) notFound();
  const [{ siteName, primaryColor, secondaryColor }, { sites, fromCents }] = await Promise.all([
    getBranding(),
    getPublicSummary(),
  ]);
  const figures = [
    `${sites.toLocaleString('en-US')} ${sites === 1 ? 'site' : 'sites'}`,
    fromCents === null ? null : `from ${formatUsd(fromCents)}`,
  ].filter((text) => text !== null);
  const key = JSON.stringify([siteName, primaryColor, secondaryColor, figures]);
  if (drawn?.key !== key) {
    const drawing = draw({ siteName, primaryColor, secondaryColor, figures });
    drawn = { key, png: drawing };
    drawing.catch(() => {
      drawn = undefined;
    });
  }
  return new Response(await drawn.png, {
    headers: { 'Content-Type': contentType, 'Cache-Control': 'public, max-age=600' },
  });
}

/** The newest picture: strangers request it, and drawing it takes some 100 ms of the processor. */
let drawn: { key: string; png: Promise<ArrayBuffer> } | undefined;

type Content = { siteName: string; primaryColor: string; secondaryColor: string; figures: readonly string[] };

const draw = ({ siteName, primaryColor, secondaryColor, figures }: Content): Promise<ArrayBuffer> =>
  new ImageResponse(
    <div
      style={{
        width: '100%',
        height: '100%',
        display: 'flex',
        flexDirection: 'column',
        justifyContent: 'space-between',
        padding: 80,
        background: '#ffffff',
        borderBottom: `32px solid ${primaryColor}`,
      }}
    >
      <div style={{ display: 'flex', alignItems: 'center', gap: 24, fontSize: 44, color: '#18181b' }}>
        <div style={{ width: 44, height: 44, borderRadius: 12, background: secondaryColor }} />
        {keepDrawable(siteName)}
      </div>
      <div style={{ display: 'flex', fontSize: 84, lineHeight: 1.1, color: '#18181b' }}>{alt}</div>
      <div style={{ display: 'flex', gap: 48, fontSize: 44, color: '#52525b' }}>
        {figures.map((text) => (
          <div key={text}>{text}</div>
        ))}
      </div>
    </div>,
    size,
  ).arrayBuffer();

/** Keeps the characters that the bundled font has. For others the renderer would request fonts from other servers. */
const keepDrawable = (text: string) => text.replace(/[^\u0020-\u007e\u00a0-\u017f]/g, '').trim();
