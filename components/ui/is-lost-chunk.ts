/** Whether a script of the page did not arrive: no connection, or a newer version of the app in its place. */
export function isLostChunk(error: unknown): boolean {
  return error instanceof Error && error.name === 'ChunkLoadError';
}
