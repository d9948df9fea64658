import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { expect, it } from 'vitest';
import { manifestEntry } from '@/lib/backup/manifest';
import { makeUser } from '@/tests/factories/make-user';
import { encrypted } from '@/tests/setup/archives';
import { uploadArchive, withBackups } from '@/tests/setup/backups';

withBackups();

const unpackedBytes = 256_000_000;
/** The memory that a rejection may use: some chunks, and uncollected garbage. */
const mostBytes = 96_000_000;

/** A small .tar.gz with one entry of spaces, which is JSON until its end. */
function bomb(name: string): Promise<Buffer> {
  const tar = pack();
  const entry = tar.entry({ name, size: unpackedBytes });
  const zeros = function* () {
    for (let left = unpackedBytes; left > 0; left -= 1_000_000) yield Buffer.alloc(1_000_000, ' ');
  };
  Readable.from(zeros())
    .pipe(entry)
    .on('finish', () => tar.finalize());
  return buffer(tar.pipe(createGzip()));
}

it('rejects an archive of 256 MB unpacked with a fraction of that memory', async () => {
  const admin = await makeUser('Admin');
  const bombs = [await bomb('about.json'), await bomb(manifestEntry), await bomb('tables/public.users/000001')];
  const uploads = bombs.flatMap((plain) => [plain, encrypted(plain)]);
  for (const bytes of await Promise.all(uploads)) {
    expect(bytes.length).toBeLessThan(2_000_000);
    const before = process.resourceUsage().maxRSS * 1_024;
    const mostBefore = Math.max(before - process.memoryUsage().rss, 0);
    await expect(uploadArchive(admin, bytes)).rejects.toMatchObject({ code: 'invalid_input' });
    // An earlier peak may hide a smaller one, so that much is allocated first.
    expect(process.resourceUsage().maxRSS * 1_024 - before + mostBefore).toBeLessThan(mostBytes);
  }
});
