import { z } from 'zod';

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
    .refine((keywords) => keywords !== '', 'Enter at least one keyword.'),
});
export type CreateProjectInput = z.output<typeof createProjectBody>;

export const projectIdParams = z.object({ id: z.string().min(1).max(64) });

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) && host.test(url.hostname) && url.username === '';
}
