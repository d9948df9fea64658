import { z } from 'zod';
import { AppError } from '../errors';

const sqlError = z.object({ cause: z.object({ constraint_name: z.literal('sites_owner_url_type_key') }) });

export function siteNotFound(id: number): AppError {
  return new AppError('not_found', `Site #${id} does not exist or was deleted.`);
}

/** A site is unique by owner, normalised URL and post type (decision 16). */
export function siteTaken(url: string, postType: string): AppError {
  return new AppError('conflict', `This owner already lists ${url} for ${postType}, perhaps in another spelling.`, {
    fields: { url: `Already listed for ${postType}.` },
  });
}

/** Did the database refuse a second site of the same owner, URL and post type? */
export function isTakenError(thrown: unknown): boolean {
  return sqlError.safeParse(thrown).success;
}
