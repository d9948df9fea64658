import { afterAll } from 'vitest';
import { closeDb } from '@/db/client';
import { suspendStaff } from '@/tests/factories/make-user';
import './documented-responses';

// The app, its database (DATABASE_URL) and its gateway must be running; `npm test -- api` starts them.
if (!process.env.TEST_APP_URL) throw new Error('TEST_APP_URL is not set: run these tests with npm test -- api');

afterAll(async () => {
  await suspendStaff();
  await closeDb();
});
