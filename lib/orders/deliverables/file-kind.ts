import { open, readFile } from 'node:fs/promises';
import { fileTypeFromFile } from 'file-type';
import { AppError } from '../../errors';
import { splitName } from '../../platform/storage/safe-file-name';

/** Kinds told by their content, each with the endings its name may have. */
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

/** Kinds that are plain text. HTML is kept as text: whatever serves it, no browser shall run it. */
const textKinds: Record<string, string> = {
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.html': 'text/plain; charset=utf-8',
  '.htm': 'text/plain; charset=utf-8',
};

/** What a delivered file may be, as its addresses declare it. */
export const deliveredFile = {
  mediaTypes: [
    ...Object.values(binaryKinds).map(({ mediaType }) => mediaType),
    ...new Set(Object.values(textKinds).map((type) => type.replace(/;.*/, ''))),
  ],
};

/** What may be uploaded, in words. */
const allowedKinds = 'PDF, Word, Excel, PowerPoint, ODT, text, Markdown, CSV, HTML, ZIP, PNG, JPEG, WebP or GIF';

/**
 * What a file is, by its bytes; its name must agree, so that nobody opens something else than they think.
 * @returns the media type to keep it under
 * @throws AppError unsupported_type that says what was found and what is taken
 */
export async function fileKind(path: string, name: string): Promise<string> {
  const ending = splitName(name).extension.toLowerCase();
  const text = textKinds[ending];
  if (text) {
    if (await isPlainText(path)) return text;
    throw refused(`${ending} files must be plain text in UTF-8, and this one holds something else.`);
  }
  const found = await fileTypeFromFile(path);
  const known = found?.ext === 'cfb' ? ((await isWordDocument(path)) ? 'doc' : null) : (found?.ext ?? null);
  const kind = known === null ? undefined : binaryKinds[known];
  if (!kind) {
    if (found) throw refused(`A file of type ${found.mime} cannot be uploaded.`);
    const isPromised = Object.values(binaryKinds).some(({ endings }) => endings.includes(ending));
    if (isPromised) throw refused(`The name ends in ${ending}, but the content is not of that type.`);
    throw refused('This type of file cannot be uploaded.');
  }
  if (!kind.endings.includes(ending)) {
    const given = ending ? `The name ends in ${ending}` : 'The name has no ending';
    throw refused(`${given}, but the file is of type ${kind.mediaType}. Rename it to end in ${kind.endings[0]}.`);
  }
  return kind.mediaType;
}

function refused(what: string): AppError {
  return new AppError('unsupported_type', `${what} Upload ${allowedKinds}.`);
}

/** UTF-8 without control characters other than line breaks, tabs and form feeds; at most 25 MB (attach.ts). */
async function isPlainText(path: string): Promise<boolean> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
    return !/[^\P{Cc}\t\n\r\f]/u.test(text);
  } catch (thrown) {
    if (thrown instanceof TypeError) return false;
    throw thrown;
  }
}

/** The old Office container also holds installers (.msi); only Word's has an entry of this name in its directory. */
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
