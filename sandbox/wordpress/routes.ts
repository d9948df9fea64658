import { z } from 'zod';
import { type AccessPoint, accessPointHost } from '@/sandbox/access-point/routes';
import { json, type Reply } from '@/sandbox/http/reply';
import { type GatewayRequest, readFields } from '@/sandbox/http/request';
import type { Route } from '@/sandbox/http/router';
import type { Websites } from '@/sandbox/publisher/port';
import { respondWithPosts } from './posts-page';
import { controlsSchema, postStatuses } from './records';
import { respondAsWordPress } from './rest';
import { respondWithScreen } from './screen';
import type { WordPress } from './wordpress';

const screens = {
  '/wp-admin/authorize-application.php': respondWithScreen,
  '/wp-admin/edit.php': respondWithPosts,
};
const isScreen = (path: string): path is keyof typeof screens => Object.hasOwn(screens, path);

/** Changes of a site: how it answers, and what happens in it without the app. */
const changes = controlsSchema.partial().extend({
  /** Empty for all sites. */
  host: z.string().default(''),
  /** Deletes all application passwords. */
  revoke: z.literal(true).optional(),
  /** Publishes all scheduled posts, as if their time had come. */
  publishDue: z.literal(true).optional(),
  /** Changes a post, as its editor does. */
  post: z
    .strictObject({
      id: z.int(),
      content: z.string().optional(),
      status: z.enum(postStatuses).optional(),
      password: z.string().optional(),
    })
    .optional(),
  /** Deletes a post for good. */
  deletePost: z.int().optional(),
});

/** Declares the controls of the WordPress sites, for the port of the publisher. */
function controlRoutes(wordpress: WordPress): Route[] {
  return [
    [
      'GET',
      '/control/wordpress',
      (request) => {
        const host = request.url.searchParams.get('host') ?? '';
        return json(200, { ...wordpress.controlsOf(host), ...wordpress.site(host) });
      },
    ],
    [
      'PUT',
      '/control/wordpress',
      async (request) => {
        const { host, revoke, publishDue, post, deletePost, ...controls } = changes.parse(readFields(request));
        const after = await wordpress.setControls(host, controls);
        if (revoke) await wordpress.revokePasswords(host);
        if (publishDue) await wordpress.publishDue(host, true);
        if (post) await wordpress.savePost(host, 'editor', { ...post }, post.id);
        if (deletePost !== undefined) await wordpress.deletePost(host, deletePost);
        return json(200, after);
      },
    ],
  ];
}

/** Returns what the publisher's websites answer besides their pages. */
export const createWebsites = (wordpress: WordPress, accessPoint: AccessPoint): Websites => ({
  controls: controlRoutes(wordpress),
  respond: async (request: GatewayRequest, host: string): Promise<Reply | null> => {
    if (host === accessPointHost) return accessPoint.respond(request);
    const { pathname } = request.url;
    const isShown = isScreen(pathname) && wordpress.controlsOf(host).isOn;
    return isShown ? screens[pathname](wordpress, request, host) : respondAsWordPress(wordpress, request, host);
  },
});
