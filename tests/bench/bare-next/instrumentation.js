export function register() {
  // Turbopack also searches the folders above, and would use LinkMarket's file, which logs every request.
}
