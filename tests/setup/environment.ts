import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, vi } from 'vitest';

// The files of a worker share its process. Each gets its own instances of the modules, and so their caches and pools.
vi.resetModules();
for (const key of Object.keys(globalThis)) if (key.startsWith('linkmarket')) Reflect.deleteProperty(globalThis, key);

// The variables that lib/env.ts requires, set before a test file imports anything: generated values, and a folder for
// each file.
const before = { ...process.env };
const dataDir = mkdtempSync(join(tmpdir(), 'linkmarket-data-'));

Object.assign(process.env, {
  APP_ENV: 'test',
  APP_URL: 'http://localhost:3000',
  // Tests send more requests than users do; tests of the limit set their own.
  CHANGES_PER_MINUTE: '1000000',
  DATA_DIR: dataDir,
  NEXTAUTH_SECRET: randomBytes(32).toString('base64url'),
  SECRET_KEYS: `k1:${randomBytes(32).toString('base64')}`,
});

afterAll(() => {
  rmSync(dataDir, { recursive: true, force: true });
  // The next file of the worker begins with the same environment.
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, before);
});
