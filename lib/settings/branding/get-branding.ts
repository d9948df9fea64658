import { z } from 'zod';
import type { Executor } from '@/db/client';
import { log } from '@/lib/platform/log/log';
import { parseLegalVersions } from '@/lib/settings/legal/documents';
import { parseSetting, readSettings, type SettingRows } from '@/lib/settings/settings';
import { type Branding, defaultBranding } from './branding';

/**
 * Reads the current branding.
 * @param tx the caller's transaction, because a second connection could deadlock the pool; without it the settings are
 * read once per request
 */
export async function getBranding(tx?: Executor): Promise<Branding> {
  return toBranding(await readSettings(tx));
}

/** Reads the stored branding and the version for an edit. */
export function parseBranding(rows: SettingRows) {
  return parseSetting(rows, brandingKey, storedBranding, defaultStoredBranding);
}

let lastKnown: Branding = defaultBranding;

/**
 * Reads the branding for the root layout, which is also used by the page that reports an unavailable database.
 * @returns the last known branding when the database does not answer
 */
export async function getLayoutBranding(): Promise<Branding> {
  try {
    lastKnown = await getBranding();
  } catch (thrown) {
    log().error({ err: thrown }, 'Branding could not be read.');
  }
  return lastKnown;
}

export const brandingKey = 'branding';

const color = z.string().regex(/^#[0-9a-f]{6}$/);

/** The id of a logo: the SHA-256 of the file. */
export const logoId = z.string().regex(/^[0-9a-f]{64}$/);

/** The stored branding, with the id of the logo instead of its path. */
const storedBranding = z.object({
  siteName: z.string(),
  tagline: z.string(),
  logo: z.object({ id: logoId, width: z.int(), height: z.int() }).nullable(),
  primaryColor: color,
  secondaryColor: color,
  supportEmail: z.string(),
  postalAddress: z.string(),
  signInClaims: z.string(),
});
export type StoredBranding = z.output<typeof storedBranding>;

const { legal: _legal, ...defaultTexts } = defaultBranding;
export const defaultStoredBranding: StoredBranding = { ...defaultTexts, logo: null };

/** The branding by the settings that a process keeps (lib/settings/settings.ts), which each page needs three times. */
const known = new WeakMap<SettingRows, Branding>();

export function toBranding(rows: SettingRows): Branding {
  const branding = known.get(rows) ?? parseRows(rows);
  known.set(rows, branding);
  return branding;
}

function parseRows(rows: SettingRows): Branding {
  const { logo, ...texts } = parseBranding(rows).value;
  const legal = parseLegalVersions(rows).value;
  if (!logo) return { ...texts, logo, legal };
  const { id, width, height } = logo;
  return { ...texts, logo: { path: logoPath(id), width, height }, legal };
}

const logoPath = (id: string) => `/api/branding/logo/${id}`;
