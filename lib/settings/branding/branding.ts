import { type LegalVersions, noLegalVersions } from '@/lib/settings/legal/legal';

/** The path and size in pixels of the logo. */
export type Logo = { path: string; width: number; height: number };

/** The name and appearance of the installation in the portals, on the sign-in pages, in mails and on invoices. */
export type Branding = {
  siteName: string;
  /** A line below the name; not shown when empty. */
  tagline: string;
  /** Null: a mark in the primary colour is shown. */
  logo: Logo | null;
  /** CSS hex colours (#rrggbb), whose contrast is checked before they are stored (colors.ts). */
  primaryColor: string;
  secondaryColor: string;
  /** The contact for users; not shown when empty. */
  supportEmail: string;
  /** The seller's address on invoices: lines, separated by \n; may be empty. */
  postalAddress: string;
  /** What the operator claims beside the customers' sign-in: lines, separated by \n; may be empty. */
  signInClaims: string;
  /** The terms and the privacy policy that pages and mails link to. */
  legal: LegalVersions;
};

/** The defaults. The primary colour is --accent of app/globals.css. */
export const defaultBranding: Branding = {
  siteName: 'LinkMarket',
  tagline: '',
  logo: null,
  primaryColor: '#5547e0',
  secondaryColor: '#0e7490',
  supportEmail: '',
  postalAddress: '',
  signInClaims: 'Users in 20+ countries\nProjects created in under 60 seconds',
  legal: noLegalVersions,
};

/** The maximum size of a logo in bytes: every page and mail loads it. */
export const maxLogoBytes = 256_000;
export const logoTooLarge = `The logo is larger than ${maxLogoBytes / 1000} kB.`;
