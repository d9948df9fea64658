import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { removeTempFolders } from '@/lib/jobs/remove-old-records';

let temp = '';
beforeEach(() => {
  temp = mkdtempSync(join(tmpdir(), 'linkmarket-test-'));
  vi.stubEnv('TMPDIR', temp);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(temp, { recursive: true });
});

/** A folder with a file that was last changed this many hours ago. */
function folder(prefix: string, hoursAgo: number): string {
  const path = mkdtempSync(join(temp, prefix));
  writeFileSync(join(path, 'file'), 'half an archive');
  const then = Date.now() / 1000 - hoursAgo * 3_600;
  utimesSync(path, then, then);
  return path;
}

it('deletes folders of killed processes after a day, and keeps recent and foreign ones', async () => {
  const gone = [folder('linkmarket-backup-', 25), folder('linkmarket-upload-', 48)];
  const kept = [folder('linkmarket-backup-', 23), folder('linkmarket-upload-', 0), folder('something-else-', 100)];
  expect(await removeTempFolders()).toEqual({ removed: 2 });
  expect(gone.map((path) => existsSync(path))).toEqual([false, false]);
  expect(kept.map((path) => existsSync(path))).toEqual([true, true, true]);
});
