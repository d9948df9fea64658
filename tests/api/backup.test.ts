import { eq, sql } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { backups } from '@/db/schema/backups';
import { sessions } from '@/db/schema/users';
import { newId } from '@/lib/ids';
import { makeAccount } from '@/tests/factories/make-account';
import { appUrl, openClient } from '@/tests/setup/http-client';
import { sendUpload } from '@/tests/setup/send-body';
import { callAction, findAction } from '@/tests/setup/server-action';

const page = '/dashboard/features/backup';
const admin = openClient();
let email = '';

beforeAll(async () => {
  email = (await makeAccount({ role: 'Admin' })).email;
  await admin.signIn('admin', email);
});

const ofOrigin = async (wanted: 'made' | 'uploaded') =>
  (await db().select().from(backups).where(eq(backups.createdBy, email))).find(({ origin }) => origin === wanted);

it('creates a backup, downloads it byte for byte, and uploads its archive again', {
  timeout: 60_000,
}, async () => {
  const id = await findAction(admin, page, 'createBackupAction');
  expect((await callAction(admin, page, id, { withFiles: false })).status).toBe(200);
  await expect.poll(async () => (await ofOrigin('made'))?.status, { timeout: 40_000 }).toBe('complete');
  const made = await ofOrigin('made');

  // No check or restore is running.
  expect(await admin.get(`/api/backups/${made?.id}/progress`)).toMatchObject({ status: 200, body: { percent: null } });

  const answer = await fetch(`${appUrl}${page}/${made?.id}/download`, { headers: { cookie: admin.cookie() } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/octet-stream');
  const archive = await answer.arrayBuffer();
  expect(archive.byteLength).toBe(made?.sizeBytes);

  const taken = await sendUpload(admin, `${page}/upload`, { content: archive, name: 'kept elsewhere.lmbackup' });
  expect(taken).toMatchObject({ status: 200, body: { id: expect.any(String) } });
  expect(await ofOrigin('uploaded')).toMatchObject({ status: 'complete', sha256: made?.sha256 });
});

it('a failed backup cannot be downloaded', async () => {
  const id = newId();
  await db()
    .insert(backups)
    .values({ id, fileName: 'failed.lmbackup', status: 'failed', origin: 'made', withFiles: false, createdBy: email });
  expect((await admin.get(`${page}/${id}/download`)).status).toBe(409);
});

it('the progress of a restore is returned after the restore has ended the session', async () => {
  const made = await ofOrigin('made');
  await db().delete(sessions).where(sql`${sessions.userId} = (select id from users where email = ${email})`);
  expect(await admin.get(`/api/backups/${made?.id}/progress`)).toMatchObject({ status: 200, body: { percent: null } });
  expect((await admin.get(`${page}/${made?.id}/download`)).status).toBe(401);
});
