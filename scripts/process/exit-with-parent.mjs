// Preloaded into every service (`node --import`): when the process that started it is gone, even killed, the channel
// between the two closes and the service ends as it would on SIGTERM.
process.once('disconnect', () => {
  setTimeout(() => process.exit(1), 5_000).unref();
  process.kill(process.pid, 'SIGTERM');
});
