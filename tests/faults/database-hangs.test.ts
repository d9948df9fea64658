import { expect, it } from 'vitest';
import { expectOutageSurvived } from '../setup/expect-outage-survived';
import { openInstallation } from '../setup/installation';

const installation = await openInstallation();
const { appUrl } = installation;
const app = await installation.startApp();

it('a frozen PostgreSQL under load returns errors, and loses and duplicates nothing when it resumes', async () => {
  let thaw: () => void = () => undefined;
  // Each waiting request has a connection to a server that does not respond.
  const leave = () => {
    thaw = installation.freezePostgres();
  };
  await expectOutageSurvived({ appUrl, app }, { leave, restore: () => thaw() });
});

it('the log records the start and the end', () => {
  const said = installation.log().filter(({ msg }) => /database (hangs|responds again)/.test(msg));
  expect(said.map(({ level }) => level)).toEqual(['error', 'info']);
});
