import { z } from 'zod';
import { type Branding, defaultBranding } from './branding';

export const brandingKey = 'branding';

const color = z.string().regex(/^#[0-9a-f]{6}$/);

/** Of `brand_logos`: the SHA-256 of the file. */
export const logoId = z.string().regex(/^[0-9a-f]{64}$/);

/** Branding as it is stored: the logo by its id, not by its address. */
export const storedBranding = z.object({
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
