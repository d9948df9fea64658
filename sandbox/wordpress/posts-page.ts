import { z } from 'zod';
import { html, json, type Reply, seeOther } from '@/sandbox/http/reply';
import { type GatewayRequest, readFields } from '@/sandbox/http/request';
import { consolePage } from '@/sandbox/pages/console';
import { type Markup, markup } from '@/sandbox/pages/markup';
import type { Post } from './records';
import { permalink, type WordPress } from './wordpress';

const changeFields = z.object({
  id: z.coerce.number().int(),
  change: z.enum(['publish', 'draft', 'trash', 'unlink', 'delete']),
});

/** Answers the list of a site's posts: shows it, or changes a post as its editor does, and returns to the list. */
export async function respondWithPosts(wordpress: WordPress, request: GatewayRequest, host: string): Promise<Reply> {
  if (request.method !== 'POST') return html(200, postsPage(host, wordpress.site(host).posts));
  const fields = changeFields.safeParse(readFields(request));
  if (!fields.success) return json(400, { error: { message: z.prettifyError(fields.error) } });
  const { id, change } = fields.data;
  const post = wordpress.site(host).posts.find((one) => one.id === id);
  if (!post) return json(404, { error: { message: `${host} has no post ${id}` } });
  if (change === 'delete') await wordpress.deletePost(host, id);
  else if (change === 'unlink') {
    await wordpress.savePost(host, 'editor', { content: post.content.replace(/<\/?a\b[^>]*>/gi, '') }, id);
  } else {
    const dateGmt = new Date().toISOString().slice(0, 19);
    await wordpress.savePost(host, 'editor', { status: change, ...(change === 'publish' && { dateGmt }) }, id);
  }
  return seeOther(`/websites/${host}/wp-admin/edit.php`);
}

const labels = { publish: 'Publish', draft: 'Unpublish', trash: 'Trash', unlink: 'Remove links', delete: 'Delete' };

function postsPage(host: string, posts: readonly Post[]): string {
  const rows = [...posts].reverse().map(
    (post) => markup`<tr><td>${titleCell(host, post)}</td><td><span class="badge">${post.status}</span></td>
<td class="right"><form class="acts" method="post"><input type="hidden" name="id" value="${post.id}">${Object.entries(
      labels,
    ).map(
      ([name, label]) => markup`<button class="button" name="change" value="${name}">${label}</button>`,
    )}</form></td></tr>`,
  );
  const content = markup`<section><div class="head"><h1>Posts of ${host}</h1></div>
<div class="panel">${
    rows.length === 0
      ? markup`<p class="empty">No posts have been written yet.</p>`
      : markup`<table><thead><tr><th scope="col">Post</th><th scope="col">State</th><th scope="col" class="right">Actions</th></tr></thead><tbody>${rows}</tbody></table>`
  }</div></section>`;
  return consolePage(`Posts of ${host}`, null, content);
}

const titleCell = (host: string, post: Post): Markup =>
  post.status === 'publish'
    ? markup`<a class="subject" href="/websites/${host}${new URL(permalink(host, post)).pathname}">${post.title}</a>`
    : markup`${post.title}`;
