import { expect, it } from 'vitest';
import { expectOutageSurvived } from '../setup/expect-outage-survived';
import { openInstallation } from '../setup/installation';

const installation = await openInstallation();
const { appUrl } = installation;
const app = await installation.startApp();

it('PostgreSQL frozen under load: whoever waits is told, nothing lost, nothing doubled when it goes on', async () => {
  let thaw: () => void = () => undefined;
  // Each of those who wait has asked a server that took the connection and says nothing.
  const leave = () => {
    thaw = installation.freezePostgres();
  };
  await expectOutageSurvived({ appUrl, app }, { leave, restore: () => thaw() });
});

it('the log says when it began and when it was over', () => {
  const said = installation.log().filter(({ msg }) => /database (hangs|answers again)/.test(msg));
  expect(said.map(({ level }) => level)).toEqual(['error', 'info']);
});
