import { z } from 'zod';
import { linkedStates, linkSources } from '@/db/schema/project-domains';
import { choiceParam, pageQuery } from '@/lib/platform/http/fields';

/** The exports that are read. The part before `_` is their source. */
const linkFileFormats = [
  ...(['gsc_sites', 'gsc_links', 'ahrefs_backlinks', 'ahrefs_domains', 'ahrefs_anchors'] as const),
  ...(['semrush_backlinks', 'semrush_domains', 'majestic', 'moz', 'list'] as const),
] as const;
export type LinkFileFormat = (typeof linkFileFormats)[number];

/** The maximum size of a file: about a million links of Ahrefs, with their contexts and in UTF-16. */
export const maxLinkFileBytes = 1_000_000_000;
/** The maximum number of rows of a file. */
export const maxLinkFileRows = 2_000_000;
/** The number of skipped rows that a response names. */
export const maxNamedSkips = 100;

/** The query of POST /api/user/projects/{id}/linked-domains. */
export const importLinkedDomainsQuery = z.object({
  dryRun: choiceParam(['0', '1'] as const)
    .default('0')
    .describe('1 answers what an import would find and stores nothing.'),
});

export const importLinkedDomainsResponse = z
  .object({
    format: z.enum(linkFileFormats).describe('The recognized export.'),
    rows: z.int().describe('The rows below the header that are not empty.'),
    domains: z.int().describe('The different domains in the file: the sum of `live`, `lost` and `unknown`.'),
    live: z.int().describe('Domains with a link that is in place.'),
    lost: z.int().describe('Domains whose links are all gone.'),
    unknown: z.int().describe('Domains of which the file does not say whether their links are in place.'),
    anchors: z.int().describe('The links in place whose anchors were counted.'),
    skipped: z
      .array(z.object({ row: z.int().describe('1 is the first row of data.'), reason: z.string() }))
      .describe(`The first ${maxNamedSkips} rows that were skipped, with the reasons.`),
    moreSkipped: z.int().describe('The number of skipped rows beyond these.'),
  })
  .meta({ title: 'LinkedDomainsImport' });
export type LinkedDomainsImport = z.output<typeof importLinkedDomainsResponse>;

const sourceParam = choiceParam(linkSources).optional();

/** The query of GET /api/user/projects/{id}/linked-domains: by domain. */
export const listLinkedDomainsQuery = pageQuery(100, 500).extend({
  q: z.string().max(300, 'Use at most 300 characters.').optional().describe('Domains that contain this text.'),
  state: choiceParam(linkedStates).optional().describe('Domains in this state.'),
  source: sourceParam.describe('Domains from the exports of this tool.'),
});
export type ListLinkedDomainsQuery = z.output<typeof listLinkedDomainsQuery>;

export const linkedDomainResponse = z
  .object({
    domain: z.string(),
    state: z.enum(linkedStates).describe('`unknown`: the tool does not say. It counts as live in the catalog.'),
    source: z.enum(linkSources),
    seenOn: z.iso
      .date()
      .nullable()
      .describe('The day of the state: the newest on which the tool saw a link, or that of the loss.'),
    importedAt: z.iso.datetime(),
  })
  .meta({ title: 'LinkedDomain' });

/** The query of DELETE /api/user/projects/{id}/linked-domains. */
export const clearLinkedDomainsQuery = z.object({
  source: sourceParam.describe('Only what the exports of this tool stated. Default: everything that was imported.'),
});

export const clearLinkedDomainsResponse = z.object({ domains: z.int().describe('The number of removed items.') });
