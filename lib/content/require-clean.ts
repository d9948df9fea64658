import { env } from '../env';
import { AppError } from '../errors';
import { log } from '../log/log';
import { scanByClamd } from './clamd';

/**
 * Has a file looked at by the virus scanner of this installation, if it has one (CLAMD_ADDRESS). Where there is one, no
 * file passes without its word: a scanner that does not answer lets nothing in.
 * @param onInfected is told what was found before the refusal, e.g. to write it down
 * @throws AppError invalid_input for an infected file, provider_failed when nothing could be found out
 */
export async function requireClean(path: string, onInfected: (found: string) => Promise<void>): Promise<void> {
  const { CLAMD_ADDRESS } = env();
  if (!CLAMD_ADDRESS) return;
  const found = await scanByClamd(CLAMD_ADDRESS, path).catch((thrown: unknown) => {
    log().error({ err: thrown }, 'The virus scanner could not be asked.');
    throw new AppError(
      'provider_failed',
      'The virus scanner does not answer, so the file was not taken. Try again in a moment; if it goes on, tell whoever runs this marketplace.',
    );
  });
  if (found === null) return;
  await onInfected(found);
  const refusal = `The virus scanner found “${found}” in this file, so it was not taken. Upload a clean one.`;
  throw new AppError('invalid_input', refusal, { fields: { file: refusal } });
}
