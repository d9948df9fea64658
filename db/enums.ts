/** Values of text columns that screens also list. Imports nothing, so that client components can import it. */

/** The types of announcements. */
export const announcementTypes = ['info', 'success', 'warning', 'danger'] as const;
export type AnnouncementType = (typeof announcementTypes)[number];

/** The audiences of announcements. Staff is every user with access to the admin area. */
export const announcementAudiences = ['everyone', 'customers', 'sellers', 'staff'] as const;
export type AnnouncementAudience = (typeof announcementAudiences)[number];

/** The supported providers of API keys. */
export const apiKeyProviders = ['OpenAI', 'SEMRush', 'Ahrefs', 'Moz', 'Google API', 'Telegram', 'Other'] as const;
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

/** The figures of a domain. The first seven are fields of a listing; the others are shown under their own names. */
export const listingMetrics = ['dr', 'da', 'as', 'traffic', 'keywords', 'ref_domains', 'spam'] as const;
export type ListingMetric = (typeof listingMetrics)[number];
export const figureMetrics = [...listingMetrics, 'crux_rank', 'cc_rank', 'majestic_rank', 'ref_subnets'] as const;
export type FigureMetric = (typeof figureMetrics)[number];

/** Where figures come from: typed by a person, or measured by a service. */
export const typedSources = ['seller', 'staff'] as const;
export type TypedSource = (typeof typedSources)[number];
export const measuredSources = ['ahrefs', 'crux', 'common_crawl', 'majestic', 'search_console'] as const;
export type MeasuredSource = (typeof measuredSources)[number];
export const figureSources = [...typedSources, ...measuredSources] as const;
export type FigureSource = (typeof figureSources)[number];

/** What is known of the owner of a listing's domain: the seller proved it, or another seller did. */
export const ownershipStates = ['owner', 'contributor'] as const;
export type Ownership = (typeof ownershipStates)[number];

/** The kinds of anchor texts. A plan has a share of each; with equal need, the first one is proposed first. */
export const anchorKinds = ['brand', 'address', 'generic', 'partial', 'exact', 'image', 'none'] as const;
export type AnchorKind = (typeof anchorKinds)[number];

/** The networks by which structured invoices are sent. */
export const deliveryChannels = ['peppol', 'ksef'] as const;
export type DeliveryChannel = (typeof deliveryChannels)[number];

/**
 * The states of a delivery: `waiting` to be sent, `sent` to the provider, `delivered` by it, `rejected` by it or the
 * network, `incomplete` because the document lacks fields, `failed` because the provider was not reached in time.
 */
export const invoiceDeliveryStates = ['waiting', 'sent', 'delivered', 'rejected', 'incomplete', 'failed'] as const;
export type InvoiceDeliveryState = (typeof invoiceDeliveryStates)[number];

export const linkRels = ['any', 'dofollow', 'nofollow', 'sponsored', 'ugc'] as const;
export type LinkRel = (typeof linkRels)[number];

/** What a member of an account may do (lib/access/account-roles.ts), from the most to the least. */
export const accountRoles = ['owner', 'manager', 'buyer', 'finance', 'client'] as const;
export type AccountRole = (typeof accountRoles)[number];
