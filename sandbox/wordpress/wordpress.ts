import { randomBytes, randomUUID } from 'node:crypto';
import type { Publisher } from '@/sandbox/publisher/publisher';
import type { StateStore } from '@/sandbox/state';
import { type Controls, defaultControls, type Post, type Role, roles, type Site } from './records';

/** The fields of a post that a request can set. */
export type PostFields = Partial<
  Pick<Post, 'title' | 'content' | 'status' | 'password' | 'dateGmt' | 'categories' | 'featuredMedia'>
>;

/** The WordPress sites of the publisher: every host is one, unless its controls turn it off. */
export class WordPress {
  /** By host; the empty one is for all others. In memory only. */
  readonly #controls = new Map<string, Controls>();

  constructor(
    readonly store: StateStore,
    readonly publisher: Publisher,
  ) {}

  controlsOf(host: string): Controls {
    return this.#controls.get(host) ?? this.#controls.get('') ?? defaultControls;
  }

  /** Changes how a site answers. @param host empty for all sites without controls of their own */
  async setControls(host: string, changes: Partial<Controls>): Promise<Controls> {
    const controls = { ...this.controlsOf(host), ...changes };
    this.#controls.set(host, controls);
    for (const [name, site] of Object.entries(this.store.state.wordpress)) {
      if (changes.role === undefined || (host !== '' && name !== host)) continue;
      for (const known of site.passwords) known.role = changes.role;
    }
    await this.store.save();
    return controls;
  }

  reset(): void {
    this.#controls.clear();
  }

  /** Deletes everything. The caller saves the state. */
  forget(): void {
    this.reset();
    this.store.state.wordpress = {};
  }

  site(host: string): Site {
    const sites = this.store.state.wordpress;
    sites[host] ??= { nextId: 1, passwords: [], posts: [], media: [] };
    return sites[host];
  }

  /**
   * Creates an application password, in groups of four as WordPress shows it.
   * @returns null for a name that the user has given before, which WordPress 5.7 and later refuse
   */
  async createPassword(host: string, { role, appId, name }: { role: Role; appId: string; name: string }) {
    const isTaken = this.site(host).passwords.some((known) => known.login === role && known.name === name);
    if (isTaken) return null;
    const characters = randomBytes(18).toString('base64').replaceAll('+', 'x').replaceAll('/', 'y');
    const password = (characters.match(/.{4}/g) ?? []).join(' ');
    this.site(host).passwords.push({ uuid: randomUUID(), appId, name, login: role, password, role });
    await this.store.save();
    return password;
  }

  /** Deletes an application password. @param uuid undefined for all of a site */
  async revokePasswords(host: string, uuid?: string): Promise<number> {
    const site = this.site(host);
    const kept = site.passwords.filter((known) => uuid !== undefined && known.uuid !== uuid);
    const count = site.passwords.length - kept.length;
    site.passwords = kept;
    await this.store.save();
    return count;
  }

  async addMedia(host: string, name: string, mediaType: string) {
    const site = this.site(host);
    const media = { id: site.nextId++, name, mediaType };
    site.media.push(media);
    await this.store.save();
    return media;
  }

  /** Creates a post, or updates one, and shows or hides its page. */
  async savePost(host: string, role: Role, fields: PostFields, id?: number): Promise<Post | undefined> {
    const site = this.site(host);
    const found = site.posts.find((one) => one.id === id);
    if (id !== undefined && !found) return undefined;
    const now = new Date().toISOString().slice(0, 19);
    const post: Post = found ?? {
      id: site.nextId++,
      ...{ title: '', content: '', status: 'draft', slug: '', password: '', dateGmt: now, modifiedGmt: now },
      ...{ categories: [1], featuredMedia: 0, author: authorId(role) },
    };
    Object.assign(post, fields, { modifiedGmt: now });
    post.content = this.#filter(host, role, post.content);
    const isLater = Date.parse(`${post.dateGmt}Z`) > Date.now();
    if (post.status === 'publish' && isLater) post.status = 'future';
    else if (post.status === 'future' && !isLater) post.status = 'publish';
    post.slug ||= this.#freeSlug(site, post.title, post.id);
    if (!found) site.posts.push(post);
    await this.#showPage(host, post);
    await this.store.save();
    return post;
  }

  /** Deletes a post for good. */
  async deletePost(host: string, id: number): Promise<boolean> {
    const site = this.site(host);
    const post = site.posts.find((one) => one.id === id);
    if (!post) return false;
    site.posts = site.posts.filter((one) => one !== post);
    await this.publisher.remove(permalink(host, post));
    return true;
  }

  /** Publishes the scheduled posts that are due. @param all also those that are not due yet, as if their time had come */
  async publishDue(host: string, all = false): Promise<void> {
    for (const post of this.site(host).posts) {
      if (post.status !== 'future' || !(all || Date.parse(`${post.dateGmt}Z`) <= Date.now())) continue;
      post.status = 'publish';
      await this.#showPage(host, post);
    }
  }

  /**
   * Filters content as WordPress does for users without `unfiltered_html`, which keeps the text of a removed tag, and as
   * the controls say.
   */
  #filter(host: string, role: Role, content: string): string {
    const isFree = role === 'administrator' || role === 'editor';
    const filtered = isFree
      ? content
      : content
          .replace(/<\/?(script|style|iframe|form|input|object|embed|svg)\b[^>]*>/gi, '')
          .replace(/\son\w+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi, '');
    return this.controlsOf(host).stripRel
      ? filtered.replace(/(<a\b[^>]*?)\srel\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi, '$1')
      : filtered;
  }

  #freeSlug(site: Site, title: string, id: number): string {
    const words = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-+|-+$/g, '');
    const stem = words || String(id);
    const isTaken = (slug: string) => site.posts.some((one) => one.slug === slug && one.id !== id);
    for (let number = 1; ; number += 1) {
      const slug = number === 1 ? stem : `${stem}-${number}`;
      if (!isTaken(slug)) return slug;
    }
  }

  async #showPage(host: string, post: Post): Promise<void> {
    const url = permalink(host, post);
    if (post.status !== 'publish') {
      await this.publisher.remove(url);
      return;
    }
    await this.publisher.publish({
      url,
      html: renderPost(host, post),
      ...{ status: 200, headers: {}, redirect: null, delayMs: 0, change: null },
      publishedAt: new Date().toISOString(),
    });
  }
}

export const permalink = (host: string, { slug }: Pick<Post, 'slug'>): string => `https://${host}/${encodeURI(slug)}/`;

export const authorId = (role: Role): number => roles.indexOf(role) + 1;

const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function renderPost(host: string, { title, content, password }: Post): string {
  const shown = password === '' ? content : '<p>This content is password protected.</p>';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)} – ${host}</title>
</head>
<body>
<article>
<h1>${escapeText(title)}</h1>
${shown}
</article>
</body>
</html>
`;
}
