import { z } from 'zod';
import { pageQuery } from '../platform/http/fields';

const required = (label: string, max: number) =>
  z
    .string({ error: `Enter ${label}.` })
    .trim()
    .min(1, `Enter ${label}.`)
    .max(max, `Use at most ${max} characters.`);

const host = /^(?=.{1,253}$)([\p{L}\p{N}]([\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}][\p{L}\p{N}-]{1,62}$/u;

/** "https://Shop.example.com/" and "shop.example.com" are the same domain. */
const domain = required('the domain', 300)
  .transform((typed) =>
    typed
      .toLowerCase()
      .replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
      .replace(/[/?#].*$/, ''),
  )
  .refine((name) => host.test(name), 'Enter a domain, e.g. example.com.');

/** Links lead to it, so nothing but a web address will do; one without a scheme gets https. */
const targetUrl = required('the target URL', 2000)
  .transform((typed) => (/^[a-z][a-z0-9+.-]*:/i.test(typed) ? typed : `https://${typed}`))
  .refine(isWebAddress, 'Enter a web address, e.g. https://example.com/page.');

/** Nobody searches for more; a longer one is a list whose commas were forgotten. */
const maxKeywordLength = 100;

/** POST /api/user/projects (spec 001, section 5); `niche` is the chosen one or the custom one that overrides it. */
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
      `Use at most ${maxKeywordLength} characters for one keyword, and put commas between keywords.`,
    ),
});
export type CreateProjectInput = z.output<typeof createProjectBody>;

/** GET /api/user/projects: the newest 500 unless asked for less; the total stands in X-Total-Count. */
export const listProjectsQuery = pageQuery(500, 500);
export type ListProjectsQuery = z.output<typeof listProjectsQuery>;

/** Rows a page of the projects screen. */
export const projectPageSizes = [25, 50, 100] as const;
export const defaultProjectPageSize = 25;

export const projectIdParams = z.object({ id: z.string().min(1).max(64) });

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) && host.test(url.hostname) && url.username === '';
}
