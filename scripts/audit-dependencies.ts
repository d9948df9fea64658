import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { checkLockFile } from './dependencies/check-lock-file';
import { fetchAdvisories } from './dependencies/fetch-advisories';
import { runCommand } from './process/lifetime';
import { projectRoot } from './process/root';

/** The project's lock file, and that of a tool of `npm run bench`. */
const lockFiles = ['package-lock.json', 'tests/bench/lighthouse/package-lock.json'];

const manifest = z.object({ allowScripts: z.record(z.string(), z.boolean()) });

/**
 * `npm run audit:dependencies`: checks the lock files (sources, checksums, install scripts, licenses) and queries the
 * registry for known vulnerabilities. Exits with 1 when a problem is found, and with `AUDIT=required` also when the
 * registry does not respond.
 */
runCommand(async (lifetime) => {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  let isSound = true;
  const { allowScripts } = manifest.parse(JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')));
  for (const file of lockFiles) {
    const lock: unknown = JSON.parse(readFileSync(join(projectRoot, file), 'utf8'));
    const isInstalled = (path: string) => existsSync(join(projectRoot, dirname(file), path));
    const { problems, packages, unsealed } = checkLockFile(lock, isInstalled, allowScripts);
    for (const problem of problems) say(`  ${problem}`);
    say(
      `${file}: ${packages} packages, ${problems.length} problems; ${unsealed} of other platforms have no checksum yet.`,
    );
    isSound &&= problems.length === 0;
  }

  const advisories = await fetchAdvisories();
  if (advisories.hasResponse) {
    for (const { name, severity, range } of advisories.findings) say(`  ${severity}: ${name} ${range}`);
    say(`Known vulnerabilities: ${advisories.findings.length} high or critical in production dependencies.`);
  } else {
    say(`Known vulnerabilities: not checked, the registry did not respond (${advisories.reason}).`);
    if (process.env.AUDIT !== 'required') say('  AUDIT=required makes this a failure.');
  }
  const isKnown = advisories.hasResponse || process.env.AUDIT !== 'required';
  const isClean = advisories.hasResponse ? advisories.findings.length === 0 : true;
  await lifetime.end(isSound && isKnown && isClean ? 0 : 1);
});
