import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { showProgress } from '@/scripts/process/progress';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('names the running steps after ten seconds without another line', async () => {
  let text = '';
  const { say, step, end } = showProgress({ write: (part) => (text += part) });
  let resolve: (result: string) => void = () => undefined;
  const build = step('building', new Promise<string>((done) => (resolve = done)));
  vi.advanceTimersByTime(6_000);
  say('compiled');
  void step('seeding', new Promise(() => undefined));
  vi.advanceTimersByTime(10_000);
  resolve('built');
  expect(await build).toBe('built');
  vi.advanceTimersByTime(10_000);
  end();
  vi.advanceTimersByTime(60_000);
  expect(text.split('\n')).toEqual(['compiled', '  … building 16 s · seeding 10 s', '  … seeding 20 s', '']);
});

test('updates one line of a terminal, below the other lines', async () => {
  let text = '';
  const { say, step, end } = showProgress({ isTTY: true, write: (part) => (text += part) });
  const failed = step('building', Promise.reject(new Error('No memory')));
  say('started');
  await expect(failed).rejects.toThrow('No memory');
  void step('seeding', new Promise(() => undefined));
  vi.advanceTimersByTime(1_000);
  end();
  const clear = '\r\u001b[K';
  expect(text).toBe(`  building 0 s${clear}started\n  seeding 0 s${clear}  seeding 1 s${clear}`);
});
