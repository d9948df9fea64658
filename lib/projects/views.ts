import type { InferSelectModel } from 'drizzle-orm';
import { z } from 'zod';
import type { projects } from '../../db/schema/projects';

export type ProjectRow = InferSelectModel<typeof projects>;

/** A project as its owner sees it. */
export type ProjectView = z.output<typeof projectResponse>;

export function projectView(row: ProjectRow): ProjectView {
  const { id, domain, description, niche, postType, targetUrl, keywords, country, createdAt } = row;
  return { id, domain, description, niche, postType, targetUrl, keywords, country, createdAt: createdAt.toISOString() };
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
  })
  .meta({ title: 'Project' });
