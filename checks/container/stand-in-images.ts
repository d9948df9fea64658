import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '@/scripts/process/root';
import { type Engine, execute } from './engine';

const prefix = 'localhost/linkmarket-stand-in';
const debian = `${prefix}/debian`;
/** The major version of Node.js in the Dockerfile, and the npm that it brings. */
const packages = [`node-linux-${process.arch}@22`, 'npm@10'];
/** The certificate authorities of this machine, in Debian's place. */
const certificates = '/etc/ssl/certs/ca-certificates.crt';

/**
 * Builds stand-ins for the images of a registry, from packages of Debian and npm. Their names cannot be confused with
 * those of the registry. Needs root, mmdebstrap and npm. The images stay for the next run.
 * @param folder a folder for the downloads
 * @returns the variables of compose.yaml that select the images
 * @throws Error with the output of the command that failed
 */
export async function buildStandInImages(engine: Engine, folder: string): Promise<Record<string, string>> {
  const context = join(folder, 'context');
  cpSync(join(projectRoot, 'checks/container/stand-in'), context, { recursive: true });
  cpSync(certificates, join(context, 'ca-certificates.crt'));
  if (!(await engine.run(['images', '--quiet', debian]))) {
    const root = join(folder, 'debian.tar');
    await execute(['mmdebstrap', '--variant=minbase', '--include=ca-certificates', 'bookworm', root]);
    await engine.run(['import', '--change', 'CMD ["bash"]', root, debian]);
  }
  await execute(['npm', 'pack', '--silent', '--pack-destination', folder, ...packages]);
  for (const archive of readdirSync(folder).filter((name) => name.endsWith('.tgz'))) {
    const target = join(context, archive.startsWith('npm-') ? 'npm' : 'node');
    mkdirSync(target);
    await execute(['tar', '--extract', '--strip-components=1', '--file', join(folder, archive), '-C', target]);
  }
  for (const stage of ['node', 'postgres', 'caddy']) {
    const args = ['--build-arg', `DEBIAN_IMAGE=${debian}`, '--target', stage, '--tag', `${prefix}/${stage}`];
    await engine.run(['build', ...args, context]);
  }
  return {
    NODE_IMAGE: `${prefix}/node`,
    POSTGRES_IMAGE: `${prefix}/postgres`,
    CADDY_IMAGE: `${prefix}/caddy`,
  };
}
