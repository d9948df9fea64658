import { open, readFile } from 'node:fs/promises';
import { fileTypeFromFile } from 'file-type';
import { AppError } from '@/lib/errors';
import { decodeUtf8 } from '@/lib/platform/decode-text';
import { splitName } from '@/lib/platform/storage/safe-file-name';

/** File types detected from the content, with their allowed extensions. */
const binaryKinds: Record<string, { mediaType: string; endings: string[] }> = {
  pdf: { mediaType: 'application/pdf', endings: ['.pdf'] },
  docx: {
    mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    endings: ['.docx'],
  },
  xlsx: { mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', endings: ['.xlsx'] },
  pptx: {
    mediaType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    endings: ['.pptx'],
  },
  odt: { mediaType: 'application/vnd.oasis.opendocument.text', endings: ['.odt'] },
  doc: { mediaType: 'application/msword', endings: ['.doc'] },
  zip: { mediaType: 'application/zip', endings: ['.zip'] },
  png: { mediaType: 'image/png', endings: ['.png'] },
  jpg: { mediaType: 'image/jpeg', endings: ['.jpg', '.jpeg'] },
  webp: { mediaType: 'image/webp', endings: ['.webp'] },
  gif: { mediaType: 'image/gif', endings: ['.gif'] },
};

/** Plain-text types. HTML is stored as plain text, so that no browser executes it. */
const textKinds: Record<string, string> = {
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.html': 'text/plain; charset=utf-8',
  '.htm': 'text/plain; charset=utf-8',
};

/** The file types that an upload accepts. */
export type FileKinds = {
  /** The extensions, with their dots. */
  endings: readonly string[];
  /** The names of the types, for error messages. */
  names: string;
};

const contentKinds: FileKinds = {
  endings: [...Object.values(binaryKinds).flatMap(({ endings }) => endings), ...Object.keys(textKinds)],
  names: 'PDF, Word, Excel, PowerPoint, ODT, text, Markdown, CSV, HTML, ZIP, PNG, JPEG, WebP or GIF',
};

/** The types of articles that buyers write. */
export const articleKinds: FileKinds = {
  endings: ['.docx', '.odt', '.html', '.htm', '.md', '.txt', '.pdf'],
  names: 'Word (.docx), ODT, HTML, Markdown, text or PDF',
};

/** Lists the media types of an upload's files, as the routes that send them declare. */
const mediaTypesOf = ({ endings }: FileKinds): string[] => {
  const binary = Object.values(binaryKinds).filter((kind) => kind.endings.some((ending) => endings.includes(ending)));
  const text = Object.entries(textKinds).flatMap(([ending, type]) => (endings.includes(ending) ? [type] : []));
  return [...binary.map(({ mediaType }) => mediaType), ...new Set(text.map((type) => type.replace(/;.*/, '')))];
};

/** The media types of delivered files, as the routes declare them. */
export const deliveredFile = { mediaTypes: mediaTypesOf(contentKinds) };
/** The media types of articles, as the routes declare them. */
export const articleFile = { mediaTypes: mediaTypesOf(articleKinds) };

/**
 * Detects the type of a file by its content. The file extension must match, so that the file opens as what it is.
 * @param kinds the accepted types
 * @returns the media type to store
 * @throws AppError unsupported_type with the detected and the accepted types
 */
export async function detectFileType(
  path: string,
  name: string,
  { endings, names }: FileKinds = contentKinds,
): Promise<string> {
  const unsupportedTypeError = (what: string) => new AppError('unsupported_type', `${what} Upload ${names}.`);
  const ending = splitName(name).extension.toLowerCase();
  const text = endings.includes(ending) ? textKinds[ending] : undefined;
  if (text) {
    if (await isPlainText(path)) return text;
    throw unsupportedTypeError(`${ending} files must be plain text in UTF-8, but this file is not.`);
  }
  const found = await fileTypeFromFile(path);
  const known = found?.ext === 'cfb' ? ((await isWordDocument(path)) ? 'doc' : null) : (found?.ext ?? null);
  const detected = known === null ? undefined : binaryKinds[known];
  const kind = detected?.endings.some((one) => endings.includes(one)) ? detected : undefined;
  if (!kind) {
    if (found) throw unsupportedTypeError(`A file of type ${found.mime} cannot be uploaded.`);
    const isPromised = !(ending in textKinds) && endings.includes(ending);
    if (isPromised) throw unsupportedTypeError(`The name ends in ${ending}, but the content is not of that type.`);
    throw unsupportedTypeError('This type of file cannot be uploaded.');
  }
  if (!kind.endings.includes(ending)) {
    const described = ending ? `The name ends in ${ending}` : 'The name has no extension';
    throw unsupportedTypeError(
      `${described}, but the file is of type ${kind.mediaType}. Rename it to end in ${kind.endings[0]}.`,
    );
  }
  return kind.mediaType;
}

/** Checks whether a file (up to 25 MB) is UTF-8 without control characters but line breaks, tabs and form feeds. */
async function isPlainText(path: string): Promise<boolean> {
  const text = decodeUtf8(await readFile(path));
  return text !== null && !/[^\P{Cc}\t\n\r\f]/u.test(text);
}

/** Detects Word among files in the legacy Office format, which installers (.msi) also use, by its directory entry. */
async function isWordDocument(path: string): Promise<boolean> {
  const entry = Buffer.from('WordDocument\0', 'utf16le');
  const file = await open(path, 'r');
  try {
    let tail = Buffer.alloc(0);
    for await (const chunk of file.createReadStream({ autoClose: false })) {
      const window = Buffer.concat([tail, chunk]);
      if (window.includes(entry)) return true;
      tail = window.subarray(-entry.length);
    }
    return false;
  } finally {
    await file.close();
  }
}
