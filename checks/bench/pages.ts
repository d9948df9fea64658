import { gzipSync } from 'node:zlib';
import type { Lifetime } from '@/scripts/process/lifetime';
import { interleaveRated } from '@/tests/bench/interleave';
import { rateOf } from '@/tests/bench/load';
import { seedCatalogue } from '@/tests/bench/seed-catalogue';
import { atLeast, atMost } from './bars';
import { startBenchServer } from './database';
import { barCells, table, writeReport } from './report';
import { type BenchTarget, buildTargets, startBare, startLinkMarket } from './targets';

const siteCount = 100_000;
const path = '/user/marketplace';
const turns = { warmUpMs: 12_000, rounds: 5, sliceMs: 4_000 };

/**
 * Measures the size of the marketplace's first page of 30 rows, and its rate compared with a bare Next.js page of the
 * same rows.
 */
export async function pages(lifetime: Lifetime): Promise<void> {
  const server = await startBenchServer(lifetime);
  await seedCatalogue(server.adminUrl, siteCount);
  await buildTargets(lifetime);
  const { statementsOf } = await import('@/tests/bench/catalogue-queries');
  const page = statementsOf('postType=Guest posts&limit=30&total=none');
  const app = await startLinkMarket(lifetime, server, 32);
  const bare = await startBare(lifetime, 'next', server, server.folder, { Q1: page, page });

  const html = await fetchText(app, path);
  const scripts = parseScripts(html);
  const sizes = await Promise.all(scripts.map(async (src) => gzipSync(await fetchText(app, src)).length));
  const script = sizes.reduce((sum, size) => sum + size, 0);
  const rates = await interleaveRated(
    [
      { name: 'bare', rate: (ms) => rateOf({ url: `${bare.origin}/rows`, connections: 16 }, ms / 1000) },
      {
        name: 'app',
        rate: (ms) => rateOf({ url: `${app.origin}${path}`, headers: app.headers, connections: 16 }, ms / 1000),
      },
    ],
    turns,
  );
  const [ours, theirs] = [rates.get('app') ?? 0, rates.get('bare') ?? 1];
  const weights = [
    atMost('HTML', Buffer.byteLength(html) / 1000, 90, 'kB'),
    atMost('HTML, gzip', gzipSync(html).length / 1000, 13, 'kB'),
    atMost('script on first load, gzip', script / 1000, 180, 'kB'),
  ];
  const rate = atLeast('pages a second ÷ bare Next.js page of the same rows', ours / theirs, 0.6);
  const rows = [
    ...weights.map((bar) => [bar.name, ...barCells(bar)]),
    ['pages a second, 16 connections', ours.toFixed(0), ''],
    ['bare Next.js page of the same rows', theirs.toFixed(0), ''],
    ['ratio', ...barCells(rate)],
  ];
  writeReport('pages', {
    text: `The marketplace of a buyer, 30 rows.\n\n${table(['', 'measured', 'bar'], rows)}`,
    bars: [...weights, rate],
  });
}

/** Returns the scripts that a modern browser loads, without `nomodule` scripts. */
function parseScripts(html: string): string[] {
  const tags = [...html.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag).filter((tag) => !/\bnomodule\b/i.test(tag));
  return [...new Set(tags.flatMap((tag) => /\bsrc="([^"]+)"/.exec(tag)?.[1] ?? []))];
}

async function fetchText({ origin, headers }: BenchTarget, address: string): Promise<string> {
  const response = await fetch(`${origin}${address}`, { headers, redirect: 'error' });
  if (!response.ok) throw new Error(`${address} returned ${response.status}.`);
  return response.text();
}
