import { z } from 'zod';

/** A project as its owner sees it (spec 001, section 3). */
export const projectAnswer = z
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
