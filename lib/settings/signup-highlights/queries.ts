import { asc } from 'drizzle-orm';
import { db } from '@/db/client';
import { features } from '@/db/schema/features';

export type HighlightView = { id: string; name: string; description: string; version: number };

/** Lists the sign-up highlights in the order of their creation. */
export async function listHighlights(): Promise<HighlightView[]> {
  const { id, name, description, version } = features;
  return db().select({ id, name, description, version }).from(features).orderBy(asc(id));
}
