import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it, vi } from 'vitest';
import { createPageJudge } from '@/lib/links/judge-in-worker';
import { judgePage, type WantedLink } from '@/lib/links/judge-page';
import type { PageFetch, PageResponse } from '@/lib/links/page-fetch';
import { projectRoot } from '@/scripts/process/root';

const wanted: WantedLink = { siteDomain: 'blog.com', targetUrl: 'https://shop.com/shoes', rel: 'dofollow', anchor: '' };
const options = { robots: 'allowed', now: new Date('2026-06-01T00:00:00Z') } as const;
const link = '<a href="https://shop.com/shoes">shoes</a>';

function pageOf(body: string | Buffer, answer: Partial<PageResponse> = {}): PageResponse {
  const headers = { 'content-type': ['text/html; charset=utf-8'] };
  const url = 'https://blog.com/post';
  const redirects = [{ status: 301, from: 'https://blog.com/p', to: url }];
  return { ok: true, status: 200, url, redirects, headers, ...answer, body: Buffer.from(body) };
}

const ordinary = pageOf(`<p>An article about ${link}.`);
/** Judging it takes milliseconds, and 100 MB. */
const large = pageOf('<p>x'.repeat(90_000));
const tooComplex = (fetched: PageResponse) => judgePage(wanted, fetched, options, () => 'too_complex');

describe('a judge in a worker thread', () => {
  const judge = createPageJudge();

  it.each<[string, PageFetch]>([
    ['the link', ordinary],
    ['no link', pageOf('<p>An article. '.repeat(100))],
    ['another encoding', pageOf(Buffer.from(`<p>\x80 caf\xe9</p>${link}`, 'latin1'), { headers: {} })],
    ['a wall', pageOf('<script>window._cf_chl_opt = {}</script>')],
    ['the link, on another website', pageOf(link, { url: 'https://other.com/' })],
    ['a document of another type', pageOf('%PDF-1.7', { headers: { 'content-type': ['application/pdf'] } })],
    ['nothing', pageOf('', { status: 404 })],
    ['no response', { ok: false, failure: 'refused', refusal: 'port', url: 'https://blog.com:8080/', redirects: [] }],
  ])('judges a page with %s as the process does', async (_name, fetched) => {
    expect(await judge(wanted, fetched, options)).toEqual(judgePage(wanted, fetched, options));
  });

  it('leaves the process free while it judges', async () => {
    const turns = vi.fn();
    const timer = setInterval(turns, 1);
    await judge(wanted, pageOf('x '.repeat(200_000)), options);
    clearInterval(timer);
    expect(turns).toHaveBeenCalled();
  });

  it('answers pages that wait for each other in their order', async () => {
    const answers: string[] = [];
    const ask = async (name: string, html: string) => {
      const { verdict } = await judge(wanted, pageOf(html), options);
      answers.push(`${name} ${verdict}`);
    };
    await Promise.all([ask('large', `${'<p>x'.repeat(20_000)}${link}`), ask('second', link), ask('third', '<p>')]);
    expect(answers).toEqual(['large ok', 'second ok', 'third broken']);
  });

  it('throws what judging throws and the reason of an ended wait, and judges the next page', async () => {
    const nothing: WantedLink = JSON.parse('{}');
    await expect(judge(nothing, ordinary, options)).rejects.toThrow(TypeError);
    const ended = AbortSignal.abort(new Error('Too late.'));
    await expect(judge(wanted, ordinary, { ...options, signal: ended })).rejects.toThrow('Too late.');
    expect(await judge(wanted, ordinary, options)).toMatchObject({ verdict: 'ok' });
  });
});

describe('a page above the limits', () => {
  it('is too complex when it needs too much time, and the next page is judged', async () => {
    const limits = { maxMs: 1, maxHeapMb: 256 };
    const judge = createPageJudge(limits);
    expect(await judge(wanted, large, options)).toEqual(tooComplex(large));
    limits.maxMs = 60_000;
    expect(await judge(wanted, ordinary, options)).toMatchObject({ verdict: 'ok' });
  });

  it('is too complex when it needs too much memory, and the next page is judged', async () => {
    const judge = createPageJudge({ maxMs: 60_000, maxHeapMb: 24 });
    expect(await judge(wanted, large, options)).toEqual(tooComplex(large));
    expect(await judge(wanted, ordinary, options)).toMatchObject({ verdict: 'ok' });
  });

  it('of another website is still a link that leads elsewhere', async () => {
    const judge = createPageJudge({ maxMs: 1, maxHeapMb: 256 });
    const elsewhere = { ...large, url: 'https://other.com/' };
    expect(await judge(wanted, elsewhere, options)).toMatchObject({
      verdict: 'broken',
      evidence: { reasons: ['other_domain'] },
    });
  });
});

it('does not keep a process running', async () => {
  const code = `
    const { createPageJudge } = require('./lib/links/judge-in-worker.ts');
    const fetched = { ok: false, failure: 'dns', refusal: null, url: 'https://blog.com/', redirects: [] };
    const judged = createPageJudge()(${JSON.stringify(wanted)}, fetched, { robots: 'allowed' });
    judged.then(({ verdict }) => console.log(verdict));`;
  const child = spawn(process.execPath, ['--require', 'tsx/cjs', '-e', code], {
    cwd: projectRoot,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  expect(await text(child.stdout)).toBe('unknown\n');
  expect(await ended).toEqual([0, null]);
});
