import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';

/** A file of an archive; `isCompressed` ones, such as PDFs, are stored as they are. */
export type ZipEntry = {
  name: string;
  modifiedAt: Date;
  isCompressed: boolean;
  pieces: AsyncIterable<string | Uint8Array>;
};

/** The format without ZIP64 has no more. */
const maxZipEntries = 65_535;

/** Generates a ZIP archive in pieces, each as soon as it is known: no file and no archive is held in memory. */
export async function* generateZip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = [];
  let failure: Error | null = null;
  const zip = new Zip((error, piece) => {
    failure ??= error;
    pieces.push(piece);
  });
  const take = () => {
    if (failure) throw failure;
    const claimed = Buffer.concat(pieces);
    pieces = [];
    return claimed;
  };
  let count = 0;
  for await (const { name, modifiedAt, isCompressed, pieces: content } of entries) {
    count += 1;
    if (count > maxZipEntries) throw new RangeError(`A ZIP archive has at most ${maxZipEntries} files.`);
    const file = isCompressed ? new ZipPassThrough(name) : new ZipDeflate(name);
    file.mtime = modifiedAt;
    zip.add(file);
    for await (const piece of content) {
      file.push(Uint8Array.from(Buffer.from(piece)));
      const written = take();
      if (written.length > 0) yield written;
    }
    file.push(new Uint8Array(), true);
    yield take();
  }
  zip.end();
  yield take();
}
