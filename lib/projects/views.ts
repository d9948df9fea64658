import type { InferSelectModel } from 'drizzle-orm';
import type { projects } from '../../db/schema/projects';

export type ProjectRow = InferSelectModel<typeof projects>;

/** A project as its owner sees it (spec 001, section 3). */
export type ProjectView = {
  id: string;
  domain: string;
  description: string;
  niche: string;
  postType: string;
  targetUrl: string;
  /** Comma-separated. */
  keywords: string;
  country: string;
  createdAt: string;
};

export function projectView(row: ProjectRow): ProjectView {
  const { id, domain, description, niche, postType, targetUrl, keywords, country, createdAt } = row;
  return { id, domain, description, niche, postType, targetUrl, keywords, country, createdAt: createdAt.toISOString() };
}
