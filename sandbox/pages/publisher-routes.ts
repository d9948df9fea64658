import { z } from 'zod';
import { canParseUrl } from '@/sandbox/http/can-parse-url';
import { html, json, seeOther } from '@/sandbox/http/reply';
import { acceptsHtml, readFields } from '@/sandbox/http/request';
import type { Route } from '@/sandbox/http/router';
import type { Publisher } from '@/sandbox/publisher/publisher';
import { pageChanges } from '@/sandbox/publisher/records';
import { notFoundPage } from './not-found-page';
import { publishedPagePage, publishedPagePath, publisherPage } from './publisher-page';

/** A change of a page; `none` restores it. */
const pageChange = z.object({ url: z.url(), change: z.enum([...pageChanges, 'none']) });

/** Declares the pages about the publisher, and the control that changes what it serves. */
export function publisherRoutes(publisher: Publisher): Route[] {
  return [
    [
      'GET',
      '/publisher',
      (request) => {
        const search = request.url.searchParams.get('search') ?? '';
        return acceptsHtml(request)
          ? html(200, publisherPage(publisher.pages(), search))
          : json(200, publisher.pages());
      },
    ],
    [
      'GET',
      '/publisher/page',
      ({ url }) => {
        const requested = url.searchParams.get('url') ?? '';
        const page = canParseUrl(requested) ? publisher.find(requested) : undefined;
        if (!page) return html(404, notFoundPage('Page not found'));
        return html(200, publishedPagePage(page, publisher.requestsOf(page)));
      },
    ],
    [
      'POST',
      '/controls/publisher',
      async (request) => {
        const fields = pageChange.safeParse(readFields(request));
        if (!fields.success) return json(400, { error: { message: z.prettifyError(fields.error) } });
        const { url, change } = fields.data;
        const page = await publisher.change(url, change === 'none' ? null : change);
        if (!page) return json(404, { error: { message: `${url} is not published` } });
        return acceptsHtml(request) ? seeOther(publishedPagePath(page)) : json(200, page);
      },
    ],
  ];
}
