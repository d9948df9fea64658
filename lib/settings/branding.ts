/** What the installation calls itself in mails (and, once an admin sets it, everywhere). */
export type Branding = {
  siteName: string;
  /** A CSS hex colour on which white text is readable. */
  primaryColor: string;
  /** Where people can ask; empty: nowhere is named. */
  supportEmail: string;
};

/** The name and colour an installation starts with. */
export const defaultBranding: Branding = { siteName: 'LinkMarket', primaryColor: '#4f46e5', supportEmail: '' };
