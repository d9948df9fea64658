import { z } from 'zod';

export const roles = ['administrator', 'editor', 'author', 'contributor'] as const;
export type Role = (typeof roles)[number];

export const postStatuses = ['publish', 'future', 'draft', 'pending', 'private', 'trash'] as const;

const postSchema = z.object({
  id: z.int(),
  title: z.string(),
  content: z.string(),
  status: z.enum(postStatuses),
  slug: z.string(),
  /** That visitors enter to read the post. */
  password: z.string().default(''),
  /** ISO 8601 without a zone, in UTC, as WordPress writes it. */
  dateGmt: z.string(),
  modifiedGmt: z.string(),
  categories: z.array(z.int()),
  featuredMedia: z.int(),
  author: z.int(),
});
export type Post = z.infer<typeof postSchema>;

const passwordSchema = z.object({
  uuid: z.string(),
  appId: z.string(),
  name: z.string(),
  login: z.string(),
  password: z.string(),
  role: z.enum(roles),
});

const siteSchema = z.object({
  nextId: z.int(),
  passwords: z.array(passwordSchema),
  posts: z.array(postSchema),
  media: z.array(z.object({ id: z.int(), name: z.string(), mediaType: z.string() })),
});
export type Site = z.infer<typeof siteSchema>;

/** The WordPress sites of the sandbox by host. */
export const wordpressStateSchema = z.record(z.string(), siteSchema);

/**
 * How a site answers: with an error to every call that needs a user (401, 500), as if the server removed the header with
 * the password (`stripped`), with an error to calls that write (403), to uploads (413), with a page of a security plugin
 * (`page`), without an index for visitors (`closed`), or without the answer to a new post (`lost`).
 */
const failures = ['401', '403', '413', '500', 'stripped', 'page', 'closed', 'lost'] as const;

export const controlsSchema = z.strictObject({
  /** Whether the host is a WordPress site. */
  isOn: z.boolean(),
  /** The user who is signed in on the authorization screen, and the role of existing passwords. */
  role: z.enum(roles),
  fail: z.enum(failures).nullable(),
  /** Whether a plugin removes `rel` from links when it saves a post. */
  stripRel: z.boolean(),
  /** Whether the site offers application passwords. */
  hasPasswords: z.boolean(),
});
export type Controls = z.infer<typeof controlsSchema>;

export const defaultControls: Controls = {
  isOn: true,
  role: 'author',
  fail: null,
  stripRel: false,
  hasPasswords: true,
};
