import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Chrome's explicit compile hint, from 136 on; a comment like any other elsewhere. */
const hint = '//# allFunctionsCalledOnLoad\n';

const manifest = z.object({ rootMainFiles: z.array(z.string()) });

/**
 * Has browsers compile what every page runs at once, React and Next.js, while it arrives and beside the page. Without
 * it they compile each function when it is first called, which keeps the page from answering: about half of the
 * longest task of a first load.
 * @param distDir a build that has ended; one that has the hint keeps it
 */
export function hintCompile(distDir: string): void {
  const { rootMainFiles } = manifest.parse(JSON.parse(readFileSync(join(distDir, 'build-manifest.json'), 'utf8')));
  for (const file of rootMainFiles) {
    const path = join(distDir, file);
    const script = readFileSync(path, 'utf8');
    if (!script.startsWith(hint)) writeFileSync(path, hint + script);
  }
}
