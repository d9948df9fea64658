import { Readable } from 'node:stream';
import { scanByClamd } from '../content/clamd';
import { spool } from '../content/spool';
import { env } from '../env';
import { log } from '../log/log';
import type { ConnectionResult } from '../payments/test-connection';

const timeoutMs = 10_000;

/** Has the scanner look at a harmless file. */
export async function testScanner(): Promise<ConnectionResult> {
  const address = env().CLAMD_ADDRESS;
  if (!address) return { ok: false, message: 'CLAMD_ADDRESS is not set.' };
  const harmless = Readable.from([Buffer.from('Nothing to find here.')]);
  try {
    const found = await spool(harmless, 1_000, ({ path }) =>
      scanByClamd(address, path, AbortSignal.timeout(timeoutMs)),
    );
    if (found === null) return { ok: true, message: 'ClamAV looked at a file and found it clean.' };
    return { ok: false, message: `ClamAV finds ${found} in a harmless file.` };
  } catch (thrown) {
    log().error({ err: thrown }, 'The virus scanner failed its test.');
    return { ok: false, message: 'ClamAV did not answer. Uploads are refused until it does.' };
  }
}
