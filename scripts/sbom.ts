import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSbom } from './dependencies/create-sbom';
import { runCommand } from './process/lifetime';
import { projectRoot } from './process/root';

/** `npm run sbom [-- file]`: writes the software bill of materials (CycloneDX JSON), by default to sbom.cdx.json. */
runCommand(async (lifetime) => {
  const file = process.argv[2] ?? 'sbom.cdx.json';
  const sbom = createSbom(JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')));
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`);
  process.stdout.write(`${file}: ${sbom.components.length} components.\n`);
  await lifetime.end(0);
});
