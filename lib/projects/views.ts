import type { InferSelectModel } from 'drizzle-orm';
import type { z } from 'zod';
import type { projects } from '../../db/schema/projects';
import type { projectAnswer } from './answers';

export type ProjectRow = InferSelectModel<typeof projects>;

/** A project as its owner sees it (spec 001, section 3). */
export type ProjectView = z.output<typeof projectAnswer>;

export function projectView(row: ProjectRow): ProjectView {
  const { id, domain, description, niche, postType, targetUrl, keywords, country, createdAt } = row;
  return { id, domain, description, niche, postType, targetUrl, keywords, country, createdAt: createdAt.toISOString() };
}
