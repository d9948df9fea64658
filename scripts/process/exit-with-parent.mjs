// Preloaded into every child process (`node --import`). When the parent process ends or is killed, the channel closes
// and the child ends as on SIGTERM. Grandchildren inherit the preload but have another parent and use their channel
// differently.
if (process.env.LINKMARKET_PARENT === String(process.ppid)) {
  process.once('disconnect', () => {
    setTimeout(() => process.exit(1), 5_000).unref();
    process.kill(process.pid, 'SIGTERM');
  });
  // Must not keep a process alive that has finished its work.
  process.channel?.unref();
}
