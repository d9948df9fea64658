import { z } from 'zod';
import { type HttpResponse, json, type Reply } from '@/sandbox/http/reply';
import { type GatewayRequest, readFields } from '@/sandbox/http/request';
import { type Post, postStatuses, type Role } from './records';
import { authorId, permalink, type WordPress } from './wordpress';

/** The rights of each role that the app asks about. */
const capabilities: Record<Role, readonly string[]> = {
  administrator: ['manage_options', 'publish_posts', 'edit_posts', 'upload_files', 'unfiltered_html'],
  editor: ['publish_posts', 'edit_posts', 'edit_others_posts', 'upload_files', 'unfiltered_html'],
  author: ['publish_posts', 'edit_posts', 'upload_files'],
  contributor: ['edit_posts'],
};

const categories = [
  { id: 1, name: 'Uncategorized', slug: 'uncategorized', parent: 0 },
  { id: 2, name: 'Guides', slug: 'guides', parent: 0 },
  { id: 3, name: 'Tools &amp; tips', slug: 'tools-tips', parent: 2 },
];

/** Creates an error in the shape of WordPress. */
const failure = (status: number, code: string, message: string): HttpResponse =>
  json(status, { code, message, data: { status } });

/**
 * Answers a request to the REST API of a site.
 * @returns null for a path that is not of the API
 */
export async function respondAsWordPress(
  wordpress: WordPress,
  request: GatewayRequest,
  host: string,
): Promise<Reply | null> {
  const route = readRoute(request.url);
  const controls = wordpress.controlsOf(host);
  if (route === null || !controls.isOn) return null;
  await wordpress.publishDue(host);
  if (controls.fail === 'page') {
    return { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Blocked by a firewall</h1>' };
  }
  if (controls.fail === 'closed')
    return failure(401, 'rest_cannot_access', 'Only authenticated users can access the REST API.');
  if (route === '/') return json(200, describeSite(host, controls.hasPasswords));
  if (controls.fail === 'stripped') return failure(401, 'rest_not_logged_in', 'You are not currently logged in.');
  const known = findUser(wordpress, host, request.headers.authorization);
  if (!known || controls.fail === '401')
    return failure(401, 'incorrect_password', 'The provided password is an invalid application password.');
  if (controls.fail === '500') return failure(500, 'internal_server_error', 'There has been a critical error.');
  return respondToUser({ wordpress, request, host, route, ...known });
}

type Call = { wordpress: WordPress; request: GatewayRequest; host: string; route: string; role: Role; uuid: string };

async function respondToUser(call: Call): Promise<Reply> {
  const { wordpress, request, host, route, role, uuid } = call;
  const { fail } = wordpress.controlsOf(host);
  const { method } = request;
  const may = (right: string) => capabilities[role].includes(right);
  if (method === 'GET' && route === '/wp/v2/users/me') return json(200, describeUser(role));
  if (method === 'GET' && route === '/wp/v2/users/me/application-passwords/introspect') {
    const found = wordpress.site(host).passwords.find((one) => one.uuid === uuid);
    return json(200, { uuid, app_id: found?.appId, name: found?.name });
  }
  const [, revoked] = /^\/wp\/v2\/users\/me\/application-passwords\/([\w-]+)$/.exec(route) ?? [];
  if (method === 'DELETE' && revoked !== undefined) {
    const count = await wordpress.revokePasswords(host, revoked);
    if (count === 0) return failure(404, 'rest_application_password_not_found', 'Application password not found.');
    return json(200, { deleted: true });
  }
  if (method === 'GET' && route === '/wp/v2/categories') return json(200, categories);
  if (method === 'POST' && fail === '403') {
    return failure(403, 'rest_cannot_create', 'Sorry, you are not allowed to do that.');
  }
  if (method === 'POST' && route === '/wp/v2/media') {
    if (fail === '413')
      return { status: 413, headers: { 'content-type': 'text/html' }, body: 'Request Entity Too Large' };
    if (!may('upload_files')) return failure(403, 'rest_cannot_create', 'Sorry, you are not allowed to upload media.');
    const name = /filename="([^"]+)"/.exec(request.headers['content-disposition'] ?? '')?.[1];
    if (!name) return failure(400, 'rest_upload_no_content_disposition', 'No Content-Disposition supplied.');
    const media = await wordpress.addMedia(host, name, request.headers['content-type'] ?? '');
    return json(201, { id: media.id, source_url: `https://${host}/wp-content/uploads/${media.name}` });
  }
  return respondAboutPosts(call);
}

const postFields = z.object({
  title: z.string().optional(),
  content: z.string().optional(),
  status: z.enum(postStatuses).optional(),
  password: z.string().optional(),
  date_gmt: z.string().optional(),
  categories: z.array(z.int()).optional(),
  featured_media: z.int().optional(),
});

async function respondAboutPosts({ wordpress, request, host, route, role }: Call): Promise<Reply> {
  const [, id] = /^\/wp\/v2\/posts(?:\/(\d+))?$/.exec(route) ?? [];
  if (!/^\/wp\/v2\/posts(\/\d+)?$/.test(route)) return failure(404, 'rest_no_route', 'No route was found.');
  const may = (right: string) => capabilities[role].includes(right);
  const post = id === undefined ? undefined : wordpress.site(host).posts.find((one) => one.id === Number(id));
  if (id !== undefined && !post) return failure(404, 'rest_post_invalid_id', 'Invalid post ID.');
  if (post && post.author !== authorId(role) && !may('edit_others_posts') && !may('manage_options'))
    return failure(403, 'rest_cannot_edit', 'Sorry, you are not allowed to edit this post.');
  if (request.method === 'GET') {
    return post ? json(200, describePost(host, post)) : json(200, listPosts(wordpress, request.url, host));
  }
  if (request.method !== 'POST') return failure(404, 'rest_no_route', 'No route was found.');
  const parsed = postFields.safeParse(readFields(request));
  if (!parsed.success) return failure(400, 'rest_invalid_param', z.prettifyError(parsed.error));
  const { date_gmt: dateGmt, featured_media: featuredMedia, ...fields } = parsed.data;
  if ((fields.status === 'publish' || fields.status === 'future') && !may('publish_posts'))
    return failure(403, 'rest_cannot_publish', 'Sorry, you are not allowed to publish posts in this post type.');
  const known = Object.fromEntries(
    Object.entries({ ...fields, dateGmt, featuredMedia }).filter(([, value]) => value !== undefined),
  );
  const saved = await wordpress.savePost(host, role, known, id === undefined ? undefined : Number(id));
  if (!saved) return failure(404, 'rest_post_invalid_id', 'Invalid post ID.');
  if (id === undefined && wordpress.controlsOf(host).fail === 'lost') return 'hang-up';
  return json(id === undefined ? 201 : 200, describePost(host, saved));
}

/** Lists posts by status, author and a search in the title, the newest change first. */
function listPosts(wordpress: WordPress, url: URL, host: string) {
  const parameter = (name: string) => url.searchParams.get(name);
  const statuses = (parameter('status') ?? 'publish').split(',');
  const author = parameter('author');
  const search = (parameter('search') ?? '').toLowerCase();
  return wordpress
    .site(host)
    .posts.filter(
      (post) =>
        statuses.includes(post.status) &&
        (author === null || post.author === Number(author)) &&
        post.title.toLowerCase().includes(search),
    )
    .reverse()
    .map((post) => describePost(host, post));
}

/** Returns the route of a request, by its path or by `rest_route`; null for another path. */
function readRoute({ pathname, searchParams }: URL): string | null {
  const asked = searchParams.get('rest_route');
  if (asked !== null) return asked;
  return pathname === '/wp-json' || pathname.startsWith('/wp-json/') ? pathname.slice('/wp-json'.length) || '/' : null;
}

function findUser(wordpress: WordPress, host: string, authorization = ''): { role: Role; uuid: string } | null {
  const [, encoded = ''] = /^Basic (.+)$/.exec(authorization) ?? [];
  const [login, ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  const bare = (password: string) => password.replaceAll(' ', '');
  const found = wordpress
    .site(host)
    .passwords.find((known) => known.login === login && bare(known.password) === bare(rest.join(':')));
  return found ?? null;
}

const describeSite = (host: string, hasPasswords: boolean) => ({
  name: host,
  url: `https://${host}`,
  home: `https://${host}`,
  namespaces: ['oembed/1.0', 'wp/v2'],
  authentication: hasPasswords
    ? {
        'application-passwords': { endpoints: { authorization: `https://${host}/wp-admin/authorize-application.php` } },
      }
    : [],
});

const describeUser = (role: Role) => ({
  id: authorId(role),
  username: role,
  name: role,
  slug: role,
  roles: [role],
  capabilities: Object.fromEntries([...capabilities[role], role].map((name) => [name, true])),
});

const describePost = (host: string, post: Post) => ({
  id: post.id,
  date_gmt: post.dateGmt,
  modified_gmt: post.modifiedGmt,
  slug: post.slug,
  status: post.status,
  link: post.status === 'publish' ? permalink(host, post) : `https://${host}/?p=${post.id}`,
  title: { raw: post.title, rendered: post.title },
  content: { raw: post.content, rendered: post.content, protected: post.password !== '' },
  password: post.password,
  author: post.author,
  featured_media: post.featuredMedia,
  categories: post.categories,
});
