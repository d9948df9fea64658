import { z } from 'zod';
import { callWordPress, type WordPressAccess } from '@/lib/sites/wordpress/client';

/** A post as WordPress describes it to its author. A draft has no date in UTC before it is published. */
const post = z.object({
  id: z.int(),
  status: z.string(),
  link: z.url({ protocol: /^https?$/ }),
  date_gmt: z.string().nullable(),
  content: z.object({ raw: z.string() }),
  /** That visitors enter to read the post; usually empty. */
  password: z.string().default(''),
});
export type WordPressPost = z.output<typeof post>;

/** The fields of a post that are sent. */
export type PostFields = {
  title?: string;
  content?: string;
  status?: 'draft' | 'future' | 'publish';
  date_gmt?: string;
  password?: string;
  categories?: number[];
  featured_media?: number;
};

/** Formats a time in UTC without a zone, as WordPress reads it. */
export const formatGmt = (time: Date): string => time.toISOString().slice(0, 19);

/** Parses a time that WordPress writes in UTC without a zone. */
export const parseGmt = (text: string): Date => new Date(/z$/i.test(text) ? text : `${text}Z`);

export const getPost = (access: WordPressAccess, id: number): Promise<WordPressPost> =>
  callWordPress(access, `wp/v2/posts/${id}`, post, { query: { context: 'edit' } });

export const createPost = (access: WordPressAccess, json: PostFields): Promise<WordPressPost> =>
  callWordPress(access, 'wp/v2/posts', post, { method: 'POST', json });

export const updatePost = (access: WordPressAccess, id: number, json: PostFields): Promise<WordPressPost> =>
  callWordPress(access, `wp/v2/posts/${id}`, post, { method: 'POST', json });

/** The clocks of two servers differ. */
const skewMs = 5 * 60_000;

const summary = z.object({
  id: z.int(),
  status: z.string(),
  modified_gmt: z.string(),
  title: z.object({ raw: z.string() }),
});

/**
 * Lists the posts that an earlier request whose answer was lost may have created: of the author, with the title, and not
 * older than the request. WordPress may have written characters of the title as entities.
 */
export async function listLostPosts(
  access: WordPressAccess,
  { title, authorId, startedAt }: { title: string; authorId: number; startedAt: Date },
): Promise<z.output<typeof summary>[]> {
  const query = {
    context: 'edit',
    status: 'publish,future,draft,pending',
    author: String(authorId),
    orderby: 'modified',
    per_page: '100',
    _fields: Object.keys(summary.shape).join(),
  };
  const found = await callWordPress(access, 'wp/v2/posts', z.array(summary), { query });
  const since = startedAt.getTime() - skewMs;
  return found.filter((one) => decodeTitle(one.title.raw) === title && parseGmt(one.modified_gmt).getTime() >= since);
}

const decodeTitle = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#039;', "'")
    .replaceAll('&amp;', '&');

const media = z.object({ id: z.int() });

/** Uploads an image. @returns its id */
export async function uploadImage(
  access: WordPressAccess,
  file: { content: Buffer; name: string; mediaType: string },
): Promise<number> {
  return (await callWordPress(access, 'wp/v2/media', media, { method: 'POST', file })).id;
}

const categories = z.array(z.object({ id: z.int(), name: z.string() }));

/** Lists the categories with the most posts; WordPress writes their names with entities. */
export async function listCategories(access: WordPressAccess): Promise<{ id: number; name: string }[]> {
  const query = { per_page: '100', orderby: 'count', order: 'desc' };
  const found = await callWordPress(access, 'wp/v2/categories', categories, { query });
  return found.map(({ id, name }) => ({ id, name: decodeTitle(name) }));
}
