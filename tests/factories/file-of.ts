import { Readable } from 'node:stream';
import { crc32, deflateRawSync } from 'node:zlib';

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const contentTypes = (main: string) =>
  Buffer.from(
    `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/main.xml" ContentType="${main}+xml"/></Types>`,
  );
const openXml = 'application/vnd.openxmlformats-officedocument';

/** The old Office container (compound file): its signature, then a directory with one named entry. */
const compound = (entry: string) =>
  Buffer.concat([
    bytes('d0cf11e0a1b11ae1'),
    Buffer.alloc(70_000),
    Buffer.from(`${entry}\0`, 'utf16le'),
    Buffer.alloc(600),
  ]);

const makers = {
  pdf: () => Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'),
  png: () =>
    Buffer.concat([
      bytes('89504e470d0a1a0a 0000000d 49484452 00000001 00000001 08060000001f15c489'),
      bytes('0000000049454e44ae426082'),
    ]),
  jpg: () => bytes('ffd8ffe000104a46494600010100000100010000ffd9'),
  gif: () =>
    Buffer.concat([Buffer.from('GIF89a'), bytes('01000100800000ffffff0000002c00000000010001000002024401003b')]),
  webp: () =>
    Buffer.concat([
      Buffer.from('RIFF'),
      bytes('1a000000'),
      Buffer.from('WEBPVP8L'),
      bytes('0d0000002f00000010071011118888fe0700'),
    ]),
  zip: () => zipOf([{ name: 'article.txt', content: Buffer.from('words') }]),
  docx: () =>
    zipOf([
      { name: '[Content_Types].xml', content: contentTypes(`${openXml}.wordprocessingml.document.main`) },
      { name: 'word/document.xml', content: Buffer.from('<w:document/>') },
    ]),
  docm: () =>
    zipOf([
      {
        name: '[Content_Types].xml',
        content: contentTypes('application/vnd.ms-word.document.macroEnabled.main'),
      },
      { name: 'word/vbaProject.bin', content: Buffer.from('macro') },
    ]),
  xlsx: () => zipOf([{ name: '[Content_Types].xml', content: contentTypes(`${openXml}.spreadsheetml.sheet.main`) }]),
  odt: () =>
    zipOf([{ name: 'mimetype', content: Buffer.from('application/vnd.oasis.opendocument.text'), isStored: true }]),
  jar: () => zipOf([{ name: 'META-INF/MANIFEST.MF', content: Buffer.from('Main-Class: Evil\n') }]),
  doc: () => compound('WordDocument'),
  msi: () => compound('SummaryInformation'),
  exe: () => Buffer.concat([Buffer.from('MZ'), bytes('90000300000004000000ffff0000'), Buffer.alloc(500)]),
  elf: () => Buffer.concat([bytes('7f454c4602010100'), Buffer.alloc(500)]),
  text: () => Buffer.from('site,price\nexample.com,"12"\n'),
  html: () => Buffer.from('<!doctype html><title>Ä</title><script>alert(1)</script>'),
};

/** The smallest file of a type that is recognised by its content. */
export function fileOf(kind: keyof typeof makers): Readable {
  return Readable.from([makers[kind]()]);
}

type ZipEntry = { name: string; content: Buffer; isStored?: boolean };

/** A zip of some entries, written without a library. */
export function zipOf(entries: ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, isStored } of entries) {
    const data = isStored ? content : deflateRawSync(content);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(isStored ? 0 : 8, 4);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(content.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([bytes('504b0304'), fields, Buffer.from(name), data]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([bytes('504b01021400'), fields, place, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, listed, end]);
}
