import { type Judgement, judgePage, type WantedLink } from '@/lib/links/judge-page';
import type { PageResponse } from '@/lib/links/page-fetch';

/** A link with any text. */
const wantedLink: WantedLink = {
  siteDomain: 'blog.example',
  targetUrl: 'https://buyer.example/shoes',
  rel: 'dofollow',
  anchor: '',
};

/** Long enough that a page is not taken for a frame that a script fills. */
export const articleText = `<p>${'An article about shoes, and what they are made of. '.repeat(9)}</p>`;

type Changes = {
  wanted?: Partial<WantedLink>;
  response?: Partial<PageResponse>;
  /** Besides the media type text/html. */
  headers?: Record<string, string[]>;
  now?: Date;
};

/** Judges a page of the ordered site that is sent as HTML with status 200. */
export function judgeHtml(html: string | Buffer, { wanted, response, headers, now }: Changes = {}): Judgement {
  const fetched: PageResponse = {
    ...{ ok: true, status: 200, url: 'https://blog.example/post', redirects: [] },
    headers: { 'content-type': ['text/html'], ...headers },
    body: Buffer.from(html),
    ...response,
  };
  return judgePage({ ...wantedLink, ...wanted }, fetched, { robots: 'allowed', ...(now && { now }) });
}

/** Returns the verdict on such a page, and its first reason. */
export function verdictOn(html: string | Buffer, changes?: Changes) {
  const { verdict, evidence } = judgeHtml(html, changes);
  return [verdict, evidence.reasons[0]] as const;
}
