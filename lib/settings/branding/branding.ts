/** Where the logo is served, as a path of this installation, and its size in pixels. */
export type Logo = { path: string; width: number; height: number };

/** What the installation is called and how it looks: in every portal, on the sign-in pages, in mails and on invoices. */
export type Branding = {
  siteName: string;
  /** One line under the name; empty: none is shown. */
  tagline: string;
  /** Null: the mark that is drawn in the primary colour. */
  logo: Logo | null;
  /** CSS hex colours (#rrggbb), checked to be readable before they are stored (brand-colors.ts). */
  primaryColor: string;
  secondaryColor: string;
  /** Where people can ask; empty: nowhere is named. */
  supportEmail: string;
  /** Of whoever sells, as it stands on invoices: lines, separated by \n; empty: none is known. */
  postalAddress: string;
};

/** What an installation starts with. The primary colour is --accent of app/globals.css. */
export const defaultBranding: Branding = {
  siteName: 'LinkMarket',
  tagline: '',
  logo: null,
  primaryColor: '#5547e0',
  secondaryColor: '#0e7490',
  supportEmail: '',
  postalAddress: '',
};

/** Bytes of a logo: every page shows it, and every mail. */
export const maxLogoBytes = 256_000;
export const logoTooLarge = `The logo is larger than ${maxLogoBytes / 1000} kB.`;
