import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { sites } from '@/db/schema/sites';
import { newId } from '@/lib/ids';
import { rotatingThird } from '@/scripts/testing/tier';
import { zipOf } from '@/tests/factories/file-of';
import { makeAccount } from '@/tests/factories/make-account';
import { makeOrder } from '@/tests/factories/make-order';
import { pngOf } from '@/tests/factories/picture-of';
import { appUrl, openClient } from '@/tests/setup/http-client';
import { sendUpload } from '@/tests/setup/send-body';
import { examplePath, routes } from './routes';

let admin = openClient();
let seller = openClient();
let sellerId = '';
let orderId = 0;

beforeAll(async () => {
  const [chief, vendor] = [await makeAccount({ role: 'Admin' }), await makeAccount({ role: 'Seller' })];
  [admin, seller, sellerId] = [openClient(), openClient(), vendor.userId];
  await Promise.all([admin.signIn('admin', chief.email), seller.signIn('seller', vendor.email)]);
  orderId = (await makeOrder(1_000)).id;
});

/** The routes that accept a file, with the field of the form. */
const uploads = routes.flatMap(({ path, method, upload }) => (upload ? [{ path, method, field: upload }] : []));

const script = '<script>alert(document.cookie)</script>';
const svg = `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${script}</svg>`;
const entities = `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>`;

/** A PNG whose header declares 30,000 by 30,000 pixels. */
function pixelBomb(): Buffer {
  const png = pngOf(8, 8);
  png.writeUInt32BE(30_000, 16);
  png.writeUInt32BE(30_000, 20);
  return png;
}

const tricks: [name: string, content: Buffer | string, fileName: string][] = [
  ['a drawing with a script', svg, 'logo.svg'],
  ['a drawing with a script called a picture', svg, 'logo.svg.png'],
  ['a drawing that reads files', entities, 'logo.svg'],
  ['a page called a picture', `<!doctype html>${script}`, 'photo.html.jpg'],
  ['a page called a key', script, 'key.pem'],
  ['a picture that is a page as well', Buffer.concat([pngOf(), Buffer.from(script)]), 'photo.png'],
  ['a GIF that is a script as well', `GIF89a/*${'\u0000'.repeat(20)}*/=1;alert(1)//`, 'photo.gif'],
  ['a PDF that is a page as well', `%PDF-1.7\n${script}\n%%EOF`, 'offer.pdf.html'],
  [
    'a picture that is an archive as well',
    Buffer.concat([pngOf(), zipOf([{ name: 'a', content: Buffer.from('b') }])]),
    'a.png',
  ],
  ['a picture with a program’s ending', pngOf(), 'photo.png.exe'],
  ['a picture with a script’s ending', pngOf(), 'photo.php'],
  ['a picture of too many pixels', pixelBomb(), 'photo.png'],
  ['a picture cut off', pngOf().subarray(0, 60), 'photo.png'],
  ['an archive that unpacks to a lot', zipOf([{ name: 'a.txt', content: Buffer.alloc(30_000_000) }]), 'sites.zip'],
  ['an archive that climbs', zipOf([{ name: '../../../../etc/cron.d/x', content: Buffer.from('x') }]), 'x.docx'],
  ['a list packed as one', gzipSync(Buffer.alloc(20_000_000)), 'sites.csv'],
  ['nothing', '', 'empty.csv'],
  ['random bytes', randomBytes(3_000), 'random.bin'],
  ['a name that climbs', 'URL\na.example\n', '../../../../../etc/passwd.csv'],
  ['a name of Windows that climbs', 'URL\na.example\n', '..\\..\\windows\\system32\\a.csv'],
  ['a name with a line break', 'URL\na.example\n', 'a.csv\r\nContent-Type: text/html\r\n\r\n<script>'],
  ['a name with NUL', 'URL\na.example\n', 'a.php\u0000.csv'],
  ['a name that turns its end round', 'URL\na.example\n', 'gpj.\u202evsc.csv'],
  ['a name of 5,000 characters', 'URL\na.example\n', `${'n'.repeat(5_000)}.csv`],
  ['a name that is a prototype', 'URL\na.example\n', '__proto__'],
  [
    'columns that are prototypes',
    '__proto__,constructor,toString,URL,hasOwnProperty\nx,y,z,https://a.example,w\n',
    'sites.csv',
  ],
  ['no columns but prototypes', '__proto__,constructor,valueOf\nx,y,z\n', 'sites.csv'],
  ['one line of 4 MB', `URL,Name\nhttps://a.example,${'n'.repeat(4_000_000)}\n`, 'sites.csv'],
  ['a quotation that never ends', `URL,Name\n"https://a.example,${'n'.repeat(200_000)}`, 'sites.csv'],
  ['50,000 columns', `URL${',x'.repeat(50_000)}\na.example\n`, 'sites.csv'],
];

it('finds the endpoints that accept a file', () => {
  expect(uploads.length).toBeGreaterThan(4);
});

describe.each(uploads.map((upload, index) => ({ ...upload, index })))('$path', ({ path, method, field, index }) => {
  it.each(rotatingThird(tricks, index))('accepts %s safely or rejects it with a reason', async (_, content, name) => {
    const client = path.startsWith('/api/seller') ? seller : admin;
    const query = path.endsWith('private-key') ? '?mode=live' : '';
    const bytes = new Uint8Array(Buffer.from(content));
    const answer = await sendUpload(client, `${examplePath(path, String(orderId))}${query}`, {
      content: bytes,
      ...{ name, field, method },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500);
    if (answer.status >= 400) expect(answer.body).toEqual(expect.objectContaining({ error: expect.any(String) }));
    expect(JSON.stringify(answer.body)).not.toContain('/tmp');
  });
});

it('serves a delivered file as a download only, with a safe name', async () => {
  let taken = 0;
  for (const [what, content, name] of rotatingThird(tricks)) {
    const bytes = new Uint8Array(Buffer.from(content));
    const { status } = await sendUpload(admin, `/api/admin/orders/${orderId}/content`, { content: bytes, name });
    if (status !== 201) continue;
    taken += 1;
    const { headers } = await admin.get(`/api/admin/orders/${orderId}/content/download`);
    expect(headers.get('content-type'), what).not.toMatch(/html|svg|xml|javascript/);
    expect(headers.get('x-content-type-options'), what).toBe('nosniff');
    expect(headers.get('content-security-policy'), what).toMatch(/^default-src 'none';.*; sandbox$/);
    const disposition = headers.get('content-disposition') ?? '';
    expect(disposition, what).toMatch(/^attachment; filename="[^"\\/\r\n]+"; filename\*=UTF-8''[\w%.~!#$&+^`|-]+$/);
    const [, whole = ''] = /UTF-8''(.*)$/.exec(disposition) ?? [];
    expect(decodeURIComponent(whole), what).not.toMatch(/[/\\\p{Cc}\u202a-\u202e]/u);
  }
  expect(taken).toBeGreaterThan(0);
});

it('keeps only the pixels of an image', async () => {
  const polyglot = new Uint8Array(Buffer.concat([pngOf(), Buffer.from(script)]));
  expect((await sendUpload(admin, '/api/profile/avatar', { content: polyglot, name: 'me.png' })).status).toBe(200);
  const response = await fetch(`${appUrl}/api/profile/avatar`, { headers: { cookie: admin.cookie() } });
  expect(response.headers.get('content-type')).toBe('image/webp');
  expect(Buffer.from(await response.arrayBuffer()).includes('<script')).toBe(false);
});

it('finds a column by its own name only, not by names of object properties', async () => {
  const host = `${newId()}.example`;
  const content = `__proto__,constructor,toString,URL\n{"status":"Approved"},x,y,https://${host}\n`;
  const answer = await sendUpload(seller, '/api/seller/sites/upload', { content, name: 'sites.csv' });
  expect(answer.body).toMatchObject({ inserted: 1, unknownHeaders: ['__proto__', 'constructor', 'toString'] });
  const kept = await db().select().from(sites).where(eq(sites.urlKey, host));
  expect(kept).toMatchObject([{ ownerId: sellerId, status: 'Pending' }]);
  for (const columns of ['0:__proto__', '0:constructor', '3:toString', '0:hasOwnProperty']) {
    const path = `/api/seller/sites/upload?mode=check&columns=${columns}`;
    expect((await sendUpload(seller, path, { content, name: 'sites.csv' })).status, columns).toBe(400);
  }
});

it('reads an archive of more than 10 MB to its end', async () => {
  const content = new Uint8Array(randomBytes(12_000_000));
  const answer = await sendUpload(admin, '/dashboard/features/backup/upload', { content, name: 'copy.lmbackup' });
  // Closed early, it would look like an interrupted upload.
  expect(answer).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('not a backup of this application') },
  });
});
