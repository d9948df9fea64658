// Preloaded into every child process (`node --import`): when the process that started it is gone, even killed, the
// channel between the two closes and the child ends as it would on SIGTERM. What the child starts in turn inherits the
// preload but has a parent, and a use for its channel, of its own.
if (process.env.LINKMARKET_PARENT === String(process.ppid)) {
  process.once('disconnect', () => {
    setTimeout(() => process.exit(1), 5_000).unref();
    process.kill(process.pid, 'SIGTERM');
  });
  // Waiting for that must not keep a tool alive that has done its work.
  process.channel?.unref();
}
