import { z } from 'zod';
import type { Executor } from '@/db/client';
import { log } from '../../platform/log/log';
import { readSettings, type SettingRows, selectSettings, settingOf } from '../settings';
import { type Branding, defaultBranding } from './branding';

/**
 * What the installation is called and looks like now.
 * @param tx the transaction it is needed in, which must not wait for another connection; without one it is read once
 * per request
 */
export async function getBranding(tx?: Executor): Promise<Branding> {
  return brandingOf(brandingIn(tx ? await selectSettings(tx) : await readSettings()).value);
}

/** Branding as stored, with the version that an edit names. */
export function brandingIn(rows: SettingRows) {
  return settingOf(rows, brandingKey, storedBranding, defaultStoredBranding);
}

let lastKnown: Branding = defaultBranding;

/**
 * Branding for the outermost frame, which stands even when the database does not: the page that says so is shown in it.
 * @returns what was last known where the database does not answer
 */
export async function frameBranding(): Promise<Branding> {
  try {
    lastKnown = await getBranding();
  } catch (thrown) {
    log().error({ err: thrown }, 'Branding could not be read.');
  }
  return lastKnown;
}

export const brandingKey = 'branding';

const color = z.string().regex(/^#[0-9a-f]{6}$/);

/** Of `brand_logos`: the SHA-256 of the file. */
export const logoId = z.string().regex(/^[0-9a-f]{64}$/);

/** Branding as it is stored: the logo by its id, not by its address. */
const storedBranding = z.object({
  siteName: z.string(),
  tagline: z.string(),
  logo: z.object({ id: logoId, width: z.int(), height: z.int() }).nullable(),
  primaryColor: color,
  secondaryColor: color,
  supportEmail: z.string(),
  postalAddress: z.string(),
});
export type StoredBranding = z.output<typeof storedBranding>;

export const defaultStoredBranding: StoredBranding = { ...defaultBranding, logo: null };

export function brandingOf({ logo, ...texts }: StoredBranding): Branding {
  if (!logo) return { ...texts, logo };
  const { id, width, height } = logo;
  return { ...texts, logo: { path: logoPath(id), width, height } };
}

const logoPath = (id: string) => `/api/branding/logo/${id}`;
