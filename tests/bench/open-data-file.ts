import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

const linesPerChunk = 10_000;

/**
 * Writes domain ranks in the form of Common Crawl, gzip-compressed: `lines` of which the given domains are a part, evenly
 * spread. @returns the length of the text in bytes
 */
export async function writeDomainRanks(path: string, lines: number, domains: readonly string[]): Promise<number> {
  const every = Math.floor(lines / domains.length);
  let bytes = 0;
  const chunks = function* () {
    yield '#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev\t#n_hosts\n';
    let text = '';
    for (let at = 1; at <= lines; at++) {
      const mixed = Math.imul(at, 0x9e3779b1) >>> 0;
      const known = at % every === 0 ? domains[at / every - 1] : undefined;
      const name = known ? known.split('.').reverse().join('.') : `com.${mixed.toString(36)}site${at % 97}`;
      text += `${at}\t${(3.4e7 - at).toExponential(7).replace('e+', 'E')}\t${mixed}\t${(mixed / 2 ** 60).toExponential(12).replace('e', 'E')}\t${name}\t${1 + (at % 9)}\n`;
      if (at % linesPerChunk !== 0 && at !== lines) continue;
      bytes += Buffer.byteLength(text);
      yield text;
      text = '';
    }
  };
  await pipeline(Readable.from(chunks()), createGzip({ level: 3 }), createWriteStream(path));
  return bytes;
}
