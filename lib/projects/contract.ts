import type { InferSelectModel } from 'drizzle-orm';
import { z } from 'zod';
import type { projects } from '@/db/schema/projects';
import { getHost, isPublicHost, parseWebAddress } from '@/lib/network/web-address';
import { nameField, pageQuery, proseField, versionField } from '@/lib/platform/http/fields';
import { findCountry } from '@/lib/taxonomy/find-country';

const required = (label: string, max: number) => nameField(`Enter ${label}.`, max);

/** A domain; a pasted URL is reduced to its host. */
const domain = required('the domain', 300).transform((typed, context) => {
  const url = parseWebAddress(typed)?.url;
  if (url && isPublicHost(url.hostname)) return getHost(url);
  context.addIssue({ code: 'custom', message: 'Enter a domain, e.g. example.com.' });
  return z.NEVER;
});

const requiredUrl = z
  .string('Enter the target URL.')
  .trim()
  .min(1, 'Enter the target URL.')
  .max(2000, 'Use at most 2000 characters.');
/** The URL that links point to. Only http and https are accepted; a URL without a scheme gets https. */
const targetUrl = requiredUrl.transform((typed, context) => {
  const parsed = parseWebAddress(typed);
  if (parsed && isPublicHost(parsed.url.hostname)) return parsed.address;
  context.addIssue({ code: 'custom', message: 'Enter a web address, e.g. https://example.com/page.' });
  return z.NEVER;
});

/** A longer keyword indicates missing commas. */
const maxKeywordLength = 100;

/** The body of POST /api/user/projects; `niche` is a listed or a custom one. */
export const createProjectBody = z.object({
  domain,
  description: proseField('Enter a description.', 2000),
  niche: required('a niche', 100),
  postType: required('a post type', 100),
  country: required('a country', 100)
    .transform((typed) => findCountry(typed) ?? typed)
    .describe('A code or a name of a country becomes its name in the catalog: `UK` is `United Kingdom`.'),
  targetUrl,
  keywords: required('at least one keyword', 1000)
    .transform((typed) =>
      typed
        .split(',')
        .map((keyword) => keyword.trim())
        .filter((keyword) => keyword !== '')
        .join(', '),
    )
    .refine((keywords) => keywords !== '', 'Enter at least one keyword.')
    .refine(
      (keywords) => keywords.split(', ').every((keyword) => keyword.length <= maxKeywordLength),
      `Use at most ${maxKeywordLength} characters per keyword, and separate keywords with commas.`,
    ),
});
export type CreateProjectInput = z.output<typeof createProjectBody>;

/** The body of PUT /api/user/projects/{id}. */
export const updateProjectBody = createProjectBody.extend({
  version: versionField.optional().describe('The version the request is based on; a stale one is refused.'),
  hidesLinked: z
    .boolean()
    .optional()
    .describe('Whether the marketplace leaves out sites that link to the project already. Unchanged if omitted.'),
});
export type UpdateProjectInput = z.output<typeof updateProjectBody>;

/** The query of GET /api/user/projects: up to 500 projects, newest first. X-Total-Count has the total. */
export const listProjectsQuery = pageQuery(500, 500);
export type ListProjectsQuery = z.output<typeof listProjectsQuery>;

export const projectIdParams = z.object({ id: z.string().min(1).max(64) });

export type ProjectRow = InferSelectModel<typeof projects>;

/** A project as its owner sees it. */
export type ProjectView = z.output<typeof projectResponse>;

export function projectView(row: ProjectRow): ProjectView {
  const { id, domain, description, niche, postType, targetUrl, keywords, country, hidesLinked, createdAt, version } =
    row;
  const texts = { domain, description, niche, postType, targetUrl, keywords, country };
  return { id, ...texts, hidesLinked, createdAt: createdAt.toISOString(), version };
}

/** A project as its owner sees it. */
export const projectResponse = z
  .object({
    id: z.string(),
    domain: z.string(),
    description: z.string(),
    niche: z.string(),
    postType: z.string(),
    targetUrl: z.string(),
    keywords: z.string().describe('Comma-separated.'),
    country: z.string(),
    hidesLinked: z
      .boolean()
      .describe('Whether the marketplace leaves out sites that link to the project already, did, or are ordered.'),
    createdAt: z.iso.datetime(),
    version: z.int().describe('The version to send with an update, so that concurrent changes are detected.'),
  })
  .meta({ title: 'Project' });
