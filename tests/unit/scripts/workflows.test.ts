import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../../../.github/workflows');

test('every action of a workflow is pinned by a commit hash, with its version in a comment', () => {
  const uses = readdirSync(folder)
    .filter((file) => /\.ya?ml$/.test(file))
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'))
    .filter((line) => /^[\s-]*["']?uses["']?\s*:/.test(line));
  expect(uses.length).toBeGreaterThan(0);
  for (const line of uses) {
    // A local action is part of this commit.
    expect(line).toMatch(/uses: (\.\/\S+|[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/);
  }
});
