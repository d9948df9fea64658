/** Values of text columns that screens also list. Imports nothing, so that client components can import it. */

/** The types of announcements. */
export const announcementTypes = ['info', 'success', 'warning', 'danger'] as const;
export type AnnouncementType = (typeof announcementTypes)[number];

/** The audiences of announcements. Staff is every user with access to the admin area. */
export const announcementAudiences = ['everyone', 'customers', 'sellers', 'staff'] as const;
export type AnnouncementAudience = (typeof announcementAudiences)[number];

/** The supported providers of API keys. */
export const apiKeyProviders = ['OpenAI', 'SEMRush', 'Ahrefs', 'Moz', 'Google API', 'Other'] as const;
export type ApiKeyProvider = (typeof apiKeyProviders)[number];

/** The operator's legal documents. */
export const legalKinds = ['terms', 'privacy'] as const;
export type LegalKind = (typeof legalKinds)[number];

/** Why staff reject a site; lib/sites/rejection-reasons.ts has the texts. */
export const rejectionReasons = [
  'details',
  'metrics',
  'low_metrics',
  'spam',
  'content',
  'topic',
  'price',
  'unreachable',
  'ownership',
  'duplicate',
  'other',
] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

/** Who entered the figures of a site. */
export const figureSources = ['seller', 'staff'] as const;
export type FigureSource = (typeof figureSources)[number];
