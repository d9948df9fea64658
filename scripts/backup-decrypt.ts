import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { decryptArchive } from '@/lib/backup/encryption';
import { AppError } from '@/lib/errors';
import { parseKeyRing } from '@/lib/platform/secrets';
import { runCommand } from './process/lifetime';
import { loadDotEnv } from './process/load-dot-env';

/**
 * `npm run backup:decrypt <archive> [<out.tar.gz>]`: decrypts a backup with SECRET_KEYS, without a database or a
 * running app. The file is created only after every byte of the archive was authenticated. Exits with 1 otherwise.
 */
runCommand(async (lifetime) => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [archive, out = `${archive?.replace(/\.lmbackup$/, '')}.tar.gz`, ...more] = positionals;
  if (!archive || more.length > 0) throw new Error('Usage: npm run backup:decrypt <archive> [<out.tar.gz>]');
  if (!existsSync(archive)) throw new Error(`The file ${archive} does not exist.`);
  if (existsSync(out)) throw new Error(`${out} already exists. Choose another output file.`);
  loadDotEnv();
  const keys = process.env.SECRET_KEYS;
  if (!keys) throw new Error('Set SECRET_KEYS to the keys of the installation that created the backup.');
  const partial = `${out}.${process.pid}.partial`;
  try {
    await pipeline(
      createReadStream(archive),
      (chunks: AsyncIterable<Buffer>) => decryptArchive(chunks, parseKeyRing(keys)),
      createWriteStream(partial, { flags: 'wx', mode: 0o600 }),
    );
    await rename(partial, out);
  } catch (thrown) {
    await rm(partial, { force: true });
    throw thrown instanceof AppError ? new Error(thrown.message) : thrown;
  }
  process.stdout.write(`${out} contains the decrypted backup. Keep it as secret as the database.\n`);
  await lifetime.end(0);
});
