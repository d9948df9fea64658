// Started by `startPostgres`: waits until its parent is gone, then gives the server up in its name. Plain JavaScript, as
// nearly all it does is wait: what reads TypeScript is loaded when it is needed.
const giveUp = async () => {
  await import('tsx');
  await import('./give-up.ts');
};

process.once('disconnect', giveUp);
// Killed between the start of this process and the line above: the channel is closed already.
if (!process.connected) await giveUp();
