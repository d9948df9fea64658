import type { InferSelectModel } from 'drizzle-orm';
import { z } from 'zod';
import type { projects } from '@/db/schema/projects';

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
