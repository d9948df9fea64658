import { setTimeout as sleep } from 'node:timers/promises';
import { createPageJudge } from '@/lib/links/judge-in-worker';
import { judgePage } from '@/lib/links/judge-page';
import type { PageFetch } from '@/lib/links/page-fetch';
import { interleave } from '@/tests/bench/interleave';
import { atMost, type Bar } from './bars';
import { barCells, table, writeReport } from './report';

const maxBytes = 2 * 1024 * 1024;
/** Other requests that arrive while a page is judged: one in each interval. */
const everyMs = 5;
const rounds = 3;

const wanted = { siteDomain: 'blog.com', targetUrl: 'https://shop.com/shoes', rel: 'any', anchor: '' } as const;
const link = '<a href="https://shop.com/shoes">shoes</a>';
const ordinary = `<!doctype html><title>Shoes</title>${'<div><h2>Shoes</h2><p>What readers <em>asked</em> about <a href="/topics/laces">laces</a> in the last months.</p></div>\n'.repeat(500)}${link}`;

const filled = (part: string) => part.repeat(Math.floor(maxBytes / part.length));
const hostile = [
  { name: '`x x x …`', html: filled('x ') },
  { name: '94,000 hidden links', html: '<a hidden href=/a/b?c>x'.repeat(94_000) },
  { name: 'nested formatting', html: `${'<b class=x><i>'.repeat(200)}${filled('<p>x')}` },
  { name: 'styles', html: filled('<p style="a:b;c:d!important">') },
  { name: 'attributes', html: `<p ${Array.from({ length: 250_000 }, (_, n) => `a${n}`).join(' ')}>` },
  { name: 'comments', html: filled('<!>') },
  { name: 'a table of text', html: `<table>${filled('x<tr>')}` },
];

const judgeInWorker = createPageJudge();
const judges = {
  process: async (html: string) => judgePage(wanted, responseOf(html), { robots: 'allowed' }),
  worker: (html: string) => judgeInWorker(wanted, responseOf(html), { robots: 'allowed' }),
};

/**
 * Measures how long other requests of the process wait while it judges pages that are made to occupy it, in the process
 * and in the worker thread of link checks, and the rate of both for an ordinary page.
 */
export async function judging(): Promise<void> {
  // Starts the thread, and compiles the code of both.
  for (const judge of Object.values(judges)) for (let n = 0; n < 20; n++) await judge(ordinary);
  const rows: string[][] = [];
  const bars: Bar[] = [];
  for (const { name, html } of hostile) {
    const inProcess = await measureWaits(() => judges.process(html));
    const inWorker = await measureWaits(() => judges.worker(html));
    const ratio = inProcess.p99 / inWorker.p99;
    const bar = atMost(`${name}: p99 of others, in the worker`, inWorker.p99, 100, 'ms');
    bars.push(bar);
    rows.push([name, ms(inProcess.p99), barCells(bar)[0], ratio.toFixed(0), ms(inWorker.longest)]);
    process.stdout.write(`${rows.at(-1)?.join('  ')}\n`);
  }
  const waits = table(
    [
      'a page of 2 MB',
      'p99 of others, in the process',
      'in the worker (bar 100 ms)',
      'ratio',
      'longest, in the worker',
    ],
    rows,
  );
  const rates = await interleave(
    [
      { name: 'process', run: () => judges.process(ordinary) },
      { name: 'worker', run: () => judges.worker(ordinary) },
    ],
    { workers: 4, rounds, sliceMs: 3_000 },
  );
  const [alone, inWorker] = [rates.get('process') ?? 0, rates.get('worker') ?? 0];
  const rate = table(
    ['', 'in the process', 'in the worker', 'ratio'],
    [
      [
        'ordinary pages of 60 kB a second',
        alone.toFixed(0),
        inWorker.toFixed(0),
        `**${(inWorker / alone).toFixed(2)}**`,
      ],
    ],
  );
  writeReport('judging', {
    text: `\`npm run bench judging\`: how long other requests of the process wait while it judges pages that are made to occupy it.\n\n${waits}\n\n${rate}`,
    bars,
    page: 'links.md',
  });
}

function responseOf(html: string): PageFetch {
  const headers = { 'content-type': ['text/html; charset=utf-8'] };
  return { ok: true, status: 200, url: 'https://blog.com/post', redirects: [], headers, body: Buffer.from(html) };
}

/** Measures the delay of requests that arrive at fixed times while work runs several times. */
async function measureWaits(work: () => Promise<unknown>): Promise<{ p99: number; longest: number }> {
  const waits: number[] = [];
  let next = performance.now() + everyMs;
  const serve = () => {
    for (const now = performance.now(); next <= now; next += everyMs) waits.push(now - next);
  };
  const timer = setInterval(serve, 1);
  for (let round = 0; round < rounds; round++) {
    await work();
    // Requests that arrived meanwhile.
    await sleep(everyMs);
  }
  clearInterval(timer);
  waits.sort((one, other) => one - other);
  return { p99: waits[Math.ceil(waits.length * 0.99) - 1] ?? 0, longest: waits.at(-1) ?? 0 };
}

const ms = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
