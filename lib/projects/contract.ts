import type { InferSelectModel } from 'drizzle-orm';
import { z } from 'zod';
import type { projects } from '@/db/schema/projects';
import { canParseUrl } from '@/lib/network/can-parse-url';
import { pageQuery, versionField } from '@/lib/platform/http/fields';

const required = (label: string, max: number) =>
  z
    .string({ error: `Enter ${label}.` })
    .trim()
    .min(1, `Enter ${label}.`)
    .max(max, `Use at most ${max} characters.`);

const host = /^(?=.{1,253}$)([\p{L}\p{N}]([\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}][\p{L}\p{N}-]{1,62}$/u;

/** A domain; a pasted URL is reduced to its host. */
const domain = required('the domain', 300)
  .transform((typed) =>
    typed
      .toLowerCase()
      .replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
      .replace(/[/?#].*$/, ''),
  )
  .refine((name) => host.test(name), 'Enter a domain, e.g. example.com.');

/** The URL that links point to. Only http and https are accepted; a URL without a scheme gets https. */
const targetUrl = required('the target URL', 2000)
  .transform((typed) => (/^[a-z][a-z0-9+.-]*:/i.test(typed) ? typed : `https://${typed}`))
  .refine(isWebAddress, 'Enter a web address, e.g. https://example.com/page.');

/** A longer keyword indicates missing commas. */
const maxKeywordLength = 100;

/** The body of POST /api/user/projects; `niche` is a listed or a custom one. */
export const createProjectBody = z.object({
  domain,
  description: required('a description', 2000),
  niche: required('a niche', 100),
  postType: required('a post type', 100),
  country: required('a country', 100),
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
});
export type UpdateProjectInput = z.output<typeof updateProjectBody>;

/** The query of GET /api/user/projects: up to 500 projects, newest first. X-Total-Count has the total. */
export const listProjectsQuery = pageQuery(500, 500);
export type ListProjectsQuery = z.output<typeof listProjectsQuery>;

export const projectIdParams = z.object({ id: z.string().min(1).max(64) });

function isWebAddress(text: string): boolean {
  if (!canParseUrl(text)) return false;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) && host.test(url.hostname) && url.username === '';
}

export type ProjectRow = InferSelectModel<typeof projects>;

/** A project as its owner sees it. */
export type ProjectView = z.output<typeof projectResponse>;

export function projectView(row: ProjectRow): ProjectView {
  const { id, domain, description, niche, postType, targetUrl, keywords, country, createdAt, version } = row;
  const texts = { domain, description, niche, postType, targetUrl, keywords, country };
  return { id, ...texts, createdAt: createdAt.toISOString(), version };
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
    createdAt: z.iso.datetime(),
    version: z.int().describe('The version to send with an update, so that concurrent changes are detected.'),
  })
  .meta({ title: 'Project' });
