import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runCommand } from '@/scripts/process/lifetime';
import { createTempFolder } from '@/scripts/testing/temp-folder';
import { imageChecks, installationChecks } from './container/checks';
import { findEngine } from './container/engine';
import { prepareInstallation } from './container/installation';
import { buildStandInImages } from './container/stand-in-images';

const image = 'localhost/linkmarket:check';

/**
 * `npm run check:container [-- --engine=docker|podman] [--stand-in-images] [--keep]`: builds the image, starts
 * compose.yaml under a project name of its own, and checks both. Needs Docker or Podman (as root) and Compose 2.
 * `--stand-in-images` builds the base images from packages of Debian and npm instead of pulling them. `--keep` leaves
 * the containers running. Exits with 1 when a check fails.
 */
runCommand(async (lifetime) => {
  const { values } = parseArgs({
    options: {
      engine: { type: 'string' },
      'stand-in-images': { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
    },
  });
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const folder = createTempFolder('linkmarket-container-');
  await lifetime.own(Promise.resolve(folder), (path) => rmSync(path, { recursive: true, force: true }));
  const engine = await findEngine(lifetime, values.engine, folder);
  say(`Engine: ${engine.name}.`);
  const standIns = values['stand-in-images'] ? await buildStandInImages(engine, folder) : {};
  const images = { ...standIns, LINKMARKET_IMAGE: image };
  const installation = await prepareInstallation(lifetime, engine, { folder, images, isKept: values.keep });

  say('Building the image.');
  // Podman's own format has no health check.
  const format = engine.name === 'podman' ? ['--format', 'docker'] : [];
  const base = standIns.NODE_IMAGE ? ['--build-arg', `NODE_IMAGE=${standIns.NODE_IMAGE}`] : [];
  await engine.run(['build', ...format, ...base, '--tag', image, '.']);

  let failed = 0;
  const checks = [...imageChecks, ...installationChecks];
  for (const { name, run } of checks) {
    const startedAt = Date.now();
    try {
      await run({ engine, image, installation });
      say(`  ok      ${name} (${Math.round((Date.now() - startedAt) / 1000)} s)`);
    } catch (thrown) {
      failed += 1;
      say(`  FAILED  ${name}\n${thrown instanceof Error ? thrown.message : String(thrown)}`);
    }
  }
  say(`${checks.length - failed} passed, ${failed} failed`);
  await lifetime.end(failed === 0 ? 0 : 1);
});
