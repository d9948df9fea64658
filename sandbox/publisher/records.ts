import { z } from 'zod';

/** What can be done to a page that is served: each can be undone, because the page is stored as it was published. */
export const pageChanges = ['lost', 'nofollow', 'noindex', 'redirected', 'forbidden', 'hanging'] as const;
export type PageChange = (typeof pageChanges)[number];

const publishedPageSchema = z.object({
  url: z.string(),
  html: z.string(),
  status: z.number().int(),
  headers: z.record(z.string(), z.string()),
  /** The Location of a redirect; null for a page. */
  redirect: z.string().nullable(),
  /** How long the response is delayed. */
  delayMs: z.number().int(),
  /** Null while the page is served as it was published. */
  change: z.enum(pageChanges).nullable(),
  /** ISO 8601. */
  publishedAt: z.iso.datetime(),
});
export type PublishedPage = z.infer<typeof publishedPageSchema>;

export const publisherStateSchema = z.object({
  /** By host, path and query: the publisher receives https without TLS and cannot tell the schemes apart. */
  pages: z.record(z.string(), publishedPageSchema),
  /** The addresses of names that have others than the default. */
  names: z.record(z.string(), z.array(z.string())),
  /** The TXT records of names. */
  txt: z.record(z.string(), z.array(z.string())).default({}),
});

/** A request that the publisher received. */
export type PublisherRequest = {
  /** ISO 8601. */
  at: string;
  method: string;
  host: string;
  /** Always with http, as it was received. */
  url: string;
  headers: Record<string, string>;
  /** The body of a POST, such as a webhook. */
  body?: string;
};
