// Started by `startPostgres`: waits until its parent has ended, then releases the server for it. Plain JavaScript,
// because it mostly waits; tsx is loaded when needed.
const release = async () => {
  await import('tsx');
  await import('./release-server.ts');
};

process.once('disconnect', release);
// The parent was killed before the line above: the channel is already closed.
if (!process.connected) await release();
