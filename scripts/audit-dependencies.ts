import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { askRegistry } from './dependencies/ask-registry';
import { checkLock } from './dependencies/check-lock';
import { runCommand } from './process/lifetime';
import { projectRoot } from './process/root';

/**
 * `npm run audit:dependencies`: holds the lock file to our rules (where packages come from, checksums, scripts,
 * licences) and asks the registry for known faults. Ends with 1 when something is found, and with `AUDIT=required` also
 * when the registry does not answer.
 */
runCommand(async (lifetime) => {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const lock: unknown = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8'));
  const { problems, packages, unsealed } = checkLock(lock, (path) => existsSync(join(projectRoot, path)));
  for (const problem of problems) say(`  ${problem}`);
  say(
    `Lock file: ${packages} packages, ${problems.length} problems; ${unsealed} of other platforms have no checksum yet.`,
  );

  const advisories = await askRegistry();
  if (advisories.isAnswered) {
    for (const { name, severity, range } of advisories.findings) say(`  ${severity}: ${name} ${range}`);
    say(`Known faults: ${advisories.findings.length} high or critical in what goes into production.`);
  } else {
    say(`Known faults: not asked, the registry has no answer (${advisories.reason}).`);
    if (process.env.AUDIT !== 'required') say('  AUDIT=required makes this a failure.');
  }
  const isKnown = advisories.isAnswered || process.env.AUDIT !== 'required';
  const isClean = advisories.isAnswered ? advisories.findings.length === 0 : true;
  await lifetime.end(problems.length === 0 && isKnown && isClean ? 0 : 1);
});
